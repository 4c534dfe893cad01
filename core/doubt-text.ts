/** Said of every call that may have had its effect. */
export function doubtText({ tool, call }: { readonly tool: string; readonly call: string }): string {
  return `Nobody knows whether ${tool} (${call}) had its effect: a person must find out.`;
}
