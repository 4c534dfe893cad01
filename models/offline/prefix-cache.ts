import { countTokens } from './completion.ts';

/** Conversations whose last request is remembered. */
const REMEMBERED = 200;

/**
 * Tokens at the start of a request that the last request of the same conversation had too, as providers' caches count
 * them: up to the first byte that differs.
 */
export function prefixCache(): (conversation: string, request: string) => number {
  const last = new Map<string, string>();
  return (conversation, request) => {
    const before = last.get(conversation) ?? '';
    last.delete(conversation);
    last.set(conversation, request);
    const oldest = last.keys().next();
    if (last.size > REMEMBERED && !oldest.done) last.delete(oldest.value);
    return countTokens(request.slice(0, sharedLength(before, request)));
  };
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  for (let i = 0; i < most; i += 1) if (a.charCodeAt(i) !== b.charCodeAt(i)) return i;
  return most;
}
