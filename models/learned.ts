/** More servers and models than one process speaks to; the oldest are learned anew at the price of one request. */
const REMEMBERED = 1_000;

const refusedBy = new Map<string, readonly string[]>();

/** Parameters that this server has refused for this model, as far as this process knows. */
export function refusedParameters(baseURL: string, model: string): readonly string[] {
  return refusedBy.get(key(baseURL, model)) ?? [];
}

/** Call it only when the request went through without them: else they were not the reason. */
export function rememberRefused(baseURL: string, model: string, refused: readonly string[]): void {
  if (refused.length === 0) return;
  const known = refusedParameters(baseURL, model);
  refusedBy.delete(key(baseURL, model));
  refusedBy.set(key(baseURL, model), [...new Set([...known, ...refused])]);
  const oldest = refusedBy.keys().next();
  if (refusedBy.size > REMEMBERED && !oldest.done) refusedBy.delete(oldest.value);
}

function key(baseURL: string, model: string): string {
  return JSON.stringify([baseURL, model]);
}
