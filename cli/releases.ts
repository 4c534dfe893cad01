/** Things to give back, in the opposite order in which they were taken. */
export interface Releases {
  add(release: () => Promise<void>): void;
  /** Gives everything back, whatever fails on the way. @throws the first failure, at the end. */
  all(): Promise<void>;
}

export function createReleases(): Releases {
  const taken: (() => Promise<void>)[] = [];
  return {
    add: (release) => {
      taken.push(release);
    },
    all: async () => {
      const failures: unknown[] = [];
      for (let release = taken.pop(); release; release = taken.pop())
        await release().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}
