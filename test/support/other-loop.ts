/** A workflow of our name that does something else: what a build that must not take over makes of our runs' histories. */
export function agentRun(): Promise<string> {
  return Promise.resolve('done');
}
