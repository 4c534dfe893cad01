import type { Moment, Watch } from './auditor.ts';
import type { Chance } from './chance.ts';
import type { WorkerPool } from './workers.ts';

/** Where a worker is killed: a moment that the auditor and the model see, or while a person's decision is on its way. */
export type KillPoint = Moment | 'decision';
/** Each as often as the others; which comes when is the seed's. */
const KILL_POINTS: readonly KillPoint[] = ['before_effect', 'approved', 'after_effect', 'in_model', 'archiving', 'continuing', 'decision'];

export interface DirectorParts {
  readonly kills: number;
  readonly chance: Chance;
  readonly pool: () => WorkerPool;
  /** Told of each kill, before it can have any consequence. */
  readonly onKill: (worker: string) => void;
  /** Sends a person's decision to some run, now. */
  readonly decide: () => void;
}

export interface Director {
  readonly watch: Watch;
  /** Kills so far, by point. */
  readonly killed: ReadonlyMap<KillPoint, number>;
  total(): number;
  /** Arms the next kill; called again and again until all are done. */
  tick(): void;
  /** No kill while the server is away: there would be nothing to kill in. */
  pause(isPaused: boolean): void;
}

/** A point that nothing reaches for this long is given up for another: the harness must not wait for what cannot come. */
const PATIENCE_MS = 8_000;
/** Between kills the runs get somewhere, so that the next one meets something new. */
const REST_MS = 900;

/** Chooses the points from the seed, in order, and kills whoever comes to the one that is next. */
export function createDirector({ kills, chance, pool, onKill, decide }: DirectorParts): Director {
  const killed = new Map<KillPoint, number>();
  let armed: { readonly point: KillPoint; left: number; readonly untilMs: number } | undefined;
  let bag: KillPoint[] = [];
  const missed: KillPoint[] = [];
  let restUntilMs = 0;
  let isPaused = false;
  const total = () => [...killed.values()].reduce((sum, times) => sum + times, 0);

  const kill = (point: KillPoint, worker: string): boolean => {
    onKill(worker);
    if (!pool().kill(worker)) return false;
    killed.set(point, (killed.get(point) ?? 0) + 1);
    armed = undefined;
    restUntilMs = Date.now() + chance.int(REST_MS);
    return true;
  };

  const nextPoint = (): KillPoint => {
    // A point that nothing came to gets another chance, in a later round.
    if (bag.length === 0) bag = [...KILL_POINTS, ...missed.splice(0)];
    const [point] = bag.splice(chance.int(bag.length), 1);
    return point ?? 'in_model';
  };

  const killSome = (): void => {
    const worker = pool().some((below) => chance.int(below));
    if (worker === undefined) return;
    decide();
    // Some way into the decision: it is being sent, lands, or is applied.
    setTimeout(() => kill('decision', worker), chance.int(40));
  };

  return {
    killed,
    total,
    pause: (paused) => {
      isPaused = paused;
    },
    tick: () => {
      const nowMs = Date.now();
      if (isPaused || total() >= kills || nowMs < restUntilMs) return;
      if (armed && nowMs < armed.untilMs) return;
      if (armed) missed.push(armed.point);
      armed = { point: nextPoint(), left: chance.int(3), untilMs: nowMs + PATIENCE_MS };
      if (armed.point === 'decision') {
        armed = undefined;
        restUntilMs = nowMs + 500;
        killSome();
      }
    },
    watch: (moment, worker) => {
      if (isPaused || armed?.point !== moment || total() >= kills) return false;
      if (armed.left > 0) {
        armed.left -= 1;
        return false;
      }
      if (moment !== 'continuing') return kill(moment, worker);
      armed = undefined;
      // The archive is written; the next workflow task continues the run as new, or ends it.
      setTimeout(() => kill(moment, worker), chance.int(30));
      return true;
    },
  };
}
