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
}

const RUN = /^chaos-\d+-\d+/;

export function startFlights(): Flights {
  const flying = new Map<string, string>();
  const lost = new Map<string, number>();
  const lose = (isLost: (worker: string) => boolean) => {
    for (const [run, worker] of flying) if (isLost(worker)) lost.set(run, (lost.get(run) ?? 0) + 1);
  };
  return {
    model: (run, worker) => flying.set(run, worker),
    tool: (about) => flying.delete(RUN.exec(about)?.[0] ?? ''),
    idle: (run) => flying.delete(run),
    killed: (worker) => lose((other) => other === worker),
    outage: () => lose(() => true),
    lost: (run) => lost.get(run) ?? 0,
  };
}
