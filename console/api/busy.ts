/**
 * What is under way. A connection must not be closed under a request: the SDK would try it again on the closed one,
 * which ends the process.
 */
export interface Busy {
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing is under way; every request to the server has a deadline. */
  idle(): Promise<void>;
}

export function createBusy(): Busy {
  const pending = new Set<Promise<unknown>>();
  return {
    track: (work) => {
      const settled = work.then(() => undefined, () => undefined).finally(() => pending.delete(settled));
      pending.add(settled);
      return work;
    },
    idle: async () => {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
