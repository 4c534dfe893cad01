/** Entry of the workflow bundle: everything that a worker may run as a workflow. */
export { agentRun } from './agent-run.ts';

// The SDK keeps a stack trace for every promise that a workflow makes, and its depth is what that costs: ten calls of depth,
// the default, are a twentieth of a turn. Four say where a promise was made, or a bug thrown, and by whom it was called.
Error.stackTraceLimit = 4;
