/** What came instead of a reply, before anybody has judged it. Holds what the server said, never what was sent. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly said: ServerError; readonly retryAfter?: string }
  /** `code` as Node and undici name it (`ECONNRESET`), `DEADLINE` for our own time-out, '' when there is none. */
  | { readonly kind: 'network'; readonly code: string }
  | { readonly kind: 'bad_reply'; readonly what: string };

/** An error as servers write it; every part of it may be missing. */
export interface ServerError {
  readonly code: string;
  readonly type: string;
  /** The request's field that was wrong, as a path: `stop`, `tools[0].function.strict`. */
  readonly param: string;
  readonly message: string;
}

/**
 * Carries a fault through the provider's client, which wraps what `fetch` throws. The message is fixed: the client
 * reads messages for "timed out" and would drop the fault, and texts of network errors may name credentials.
 */
export class WireFault extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super('no reply');
    this.name = 'WireFault';
    this.fault = fault;
  }
}

/** The fault in what was thrown: the client wraps it, anything else is taken for a network error. */
export function faultOf(error: unknown): Fault {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof WireFault) return current.fault;
    current = current.cause;
  }
  return networkFault(error);
}

/** The code of the first error in the chain of causes that has one. */
export function networkFault(error: unknown): Fault {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, cause }: { code?: unknown; cause?: unknown } = current;
    if (typeof code === 'string') return { kind: 'network', code };
    current = cause;
  }
  return { kind: 'network', code: '' };
}
