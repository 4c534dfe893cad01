export interface Deadline {
  /** Aborted by the caller or by the time-out. */
  readonly signal: AbortSignal;
  readonly hasPassed: () => boolean;
  /** Must be called: a timer that is left keeps the process alive. */
  readonly end: () => void;
}

/**
 * The caller's signal and a time-out in one. The provider's client has a time-out of its own, but it ends with the
 * response's headers: a body that stalls would wait for ever.
 */
export function deadline(caller: AbortSignal, timeoutMs: number): Deadline {
  const controller = new AbortController();
  let passed = false;
  const abort = () => controller.abort();
  const timer = setTimeout(() => {
    passed = true;
    abort();
  }, timeoutMs);
  if (caller.aborted) abort();
  else caller.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    hasPassed: () => passed,
    end: () => {
      clearTimeout(timer);
      caller.removeEventListener('abort', abort);
    },
  };
}
