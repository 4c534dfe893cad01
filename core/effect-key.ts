/** What the key of a call is hashed from. The first execution's run id is the same through continue-as-new and reset. */
export function effectKeyText(firstRunId: string, call: string): string {
  return `${firstRunId} ${call}`;
}
