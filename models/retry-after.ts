/** A server may ask for hours; a run should rather fail and tell a person than sleep unseen. */
export const MAX_RETRY_AFTER_MS = 5 * 60_000;

/**
 * Milliseconds of a Retry-After header (RFC 9110: whole seconds or an HTTP date), at most MAX_RETRY_AFTER_MS; a date
 * that has passed is 0, anything else `undefined`.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const asked = /^\d{1,12}(?:\.\d{1,6})?$/.test(text) ? Number(text) * 1_000 : dateMs(text) - nowMs;
  if (Number.isNaN(asked)) return undefined;
  return Math.min(Math.max(0, Math.ceil(asked)), MAX_RETRY_AFTER_MS);
}

/** `Date.parse` takes nearly any text for a date, so only the shape of an HTTP date reaches it. */
function dateMs(text: string): number {
  return /^[A-Z][a-z]{2,8}, [\w :-]{10,30} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}
