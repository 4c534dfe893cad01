import { oneLine } from '../core/data-text.ts';

/** Enough to understand an error; whole pages belong nowhere. */
const SHOWN_CHARS = 300;
/** Longer than any text that could shrink to what is shown when its secrets are taken out. */
const READ_CHARS = 20_000;

const KEY_LIKE = /\b(?:sk|pk|rk|key|gsk|xai|AIza)[-_][A-Za-z0-9_*-]{6,}|\bAIza[A-Za-z0-9_-]{10,}/g;
const HEADER = /\b(authorization|x-api-key|api[-_ ]?key)(["']?\s{0,3}[:=]\s{0,3}["']?)(?:(?:basic|bearer) )?[^\s"',;]{4,}/gi;
const BEARER = /\bbearer\s{1,3}[^\s"',;]{6,}/gi;

/**
 * What a server said, fit for history, logs and screens: servers echo keys and headers, so the key that was sent and
 * everything that looks like a credential is taken out before the text is cut.
 */
export function safeText(text: string, apiKey: string): string {
  const whole = text.slice(0, READ_CHARS);
  const withoutKey = apiKey.length < 4 ? whole : whole.replaceAll(apiKey, '[key]');
  const clean = withoutKey.replace(KEY_LIKE, '[key]').replace(HEADER, '$1$2[key]').replace(BEARER, 'Bearer [key]');
  return oneLine(clean, SHOWN_CHARS);
}
