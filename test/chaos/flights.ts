/**
 * Model calls that were in flight when something was taken away: asked for, and not yet known to be recorded. A reply
 * is known to be recorded when the next thing of its run is seen, or the run is over.
 */
export interface Flights {
  model(run: string, worker: string): void;
  /** A tool was called for something whose name begins with the run's id. */
  tool(about: string): void;
  /** Nothing is in flight in a run that waits or has ended. */
  idle(run: string): void;
  killed(worker: string): void;
  readonly outage: () => void;
  /** Calls of a run that a kill or an outage may have cost. */
  lost(run: string): number;
  /** When a worker was killed; absent for one that lived. */
  killedMs(worker: string): number | undefined;
}

/** Visibility may still show a run as waiting that has gone on. */
const LAG_MS = 10_000;
const RUN = /^chaos-\d+-\d+/;

export function startFlights(): Flights {
  const flying = new Map<string, { readonly worker: string; readonly sinceMs: number }>();
  const lost = new Map<string, number>();
  const dead = new Map<string, number>();
  const loseOne = (run: string) => lost.set(run, (lost.get(run) ?? 0) + 1);
  const lose = (isLost: (worker: string) => boolean) => {
    for (const [run, { worker }] of flying) if (isLost(worker)) loseOne(run);
  };
  return {
    model: (run, worker) => {
      // What a worker had sent before it was killed may be read only now.
      if (dead.has(worker)) loseOne(run);
      else flying.set(run, { worker, sinceMs: Date.now() });
    },
    tool: (about) => flying.delete(RUN.exec(about)?.[0] ?? ''),
    idle: (run) => {
      if (Date.now() - (flying.get(run)?.sinceMs ?? 0) > LAG_MS) flying.delete(run);
    },
    killed: (worker) => {
      dead.set(worker, Date.now());
      lose((other) => other === worker);
    },
    outage: () => lose(() => true),
    lost: (run) => lost.get(run) ?? 0,
    killedMs: (worker) => dead.get(worker),
  };
}
