/** Entry of the workflow bundle: everything that a worker may run as a workflow. */
export { agentRun } from './agent-run.ts';
