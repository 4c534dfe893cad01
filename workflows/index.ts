/** Entry of the workflow bundle: everything that a worker may run as a workflow. */
export { agentRun } from './agent-run.ts';

// The SDK keeps a stack for every promise that a workflow makes, and its depth is what that costs: ten frames, the default,
// are a twentieth of a turn. Five say where a bug was thrown and by whom that was called; two of a promise's are the SDK's.
// A worker that does not load this code once for all runs has frozen it by now, and keeps its ten.
if (!Object.isFrozen(Error)) Error.stackTraceLimit = 5;
