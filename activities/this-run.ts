import { Context } from '@temporalio/activity';

/** The run that this activity belongs to. Throws for an activity that no workflow started: ours never are. */
export function thisRun(): { readonly workflowId: string; readonly runId: string } {
  const { workflowExecution } = Context.current().info;
  if (!workflowExecution) throw new Error('this activity runs inside a run only');
  return workflowExecution;
}
