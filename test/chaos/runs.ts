import { setTimeout as sleep } from 'node:timers/promises';
import { RunExistsError } from '../../client/errors.ts';
import type { CaseworkerClient } from '../../client/types.ts';
import { caseOf } from './cases.ts';
import type { Case } from './cases.ts';

export interface Runs {
  started(): number;
  /** Runs that have neither ended nor handed over, as far as was looked. */
  active(): readonly string[];
  /** How an active run stands, as visibility last said. */
  status(id: string): string;
  cases(): readonly Case[];
  /** Starts as many as there is room for. */
  fill(): Promise<void>;
  /** Waits until none is active, as long as that may take; what is still active then is stuck. */
  settle(ms: number, meanwhile: () => void): Promise<void>;
}

export interface RunsParts {
  readonly client: CaseworkerClient;
  readonly seed: number;
  readonly atOnce: number;
  /** Nothing of the run is in flight: it waits for a person, or is over. */
  readonly onIdle: (id: string) => void;
}

const LOOK_EVERY_MS = 700;
/** Statuses in which a person has the run: nothing more happens by itself. */
const WITH_A_PERSON: readonly string[] = ['handed_over', 'waiting_outcome', 'taken_over'];

/** Starts the cases of a seed one after the other and keeps an eye on them. Whatever the server does not answer is asked again. */
export function startRuns({ client, seed, atOnce, onIdle }: RunsParts): Runs {
  const cases: Case[] = [];
  const active = new Map<string, { status: string; readonly sinceMs: number }>();
  let lookAtMs = 0;

  const look = async (): Promise<void> => {
    if (Date.now() < lookAtMs) return;
    lookAtMs = Date.now() + LOOK_EVERY_MS;
    const open = new Map((await client.list({ query: 'ExecutionStatus = "Running"', limit: 1_000 })).map(({ id, status }) => [id, status]));
    for (const [id, run] of active) {
      const status = open.get(id);
      if (status !== undefined) run.status = status;
      // Visibility lags: what it does not show may just have begun.
      const isOver = status === undefined ? Date.now() - run.sinceMs > 5_000 && (await client.show(id)).summary.closedAtMs !== undefined : WITH_A_PERSON.includes(status);
      if (isOver || status?.startsWith('waiting')) onIdle(id);
      if (isOver) active.delete(id);
    }
  };

  const startOne = async (): Promise<void> => {
    const one = cases.at(-1);
    const next = one !== undefined && !active.has(one.id) && pending === one.id ? one : caseOf(seed, cases.length);
    if (next !== one) cases.push(next);
    pending = next.id;
    try {
      await client.start({ agent: next.agent, task: `script:${next.id} Work it off.`, id: next.id });
    } catch (error) {
      // The answer to a start can be lost with the server; the run is there all the same.
      if (!(error instanceof RunExistsError)) throw error;
    }
    pending = undefined;
    active.set(next.id, { status: 'running', sinceMs: Date.now() });
  };
  /** A start that failed is made again under the same id. */
  let pending: string | undefined;

  return {
    started: () => cases.length,
    active: () => [...active.keys()],
    status: (id) => active.get(id)?.status ?? 'over',
    cases: () => cases,
    fill: async () => {
      await ignoringOutages(async () => {
        await look();
        if (active.size < atOnce) await startOne();
      });
    },
    settle: async (ms, meanwhile) => {
      const deadline = Date.now() + ms;
      if (pending !== undefined) await ignoringOutages(startOne);
      while (active.size > 0 && Date.now() < deadline) {
        await ignoringOutages(look);
        meanwhile();
        await sleep(100);
      }
    },
  };
}

/** While the server is away nothing can be done about it; the next round tries again. */
export async function ignoringOutages(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || !/does not answer|UNAVAILABLE|deadline|connection|14 /i.test(error.message)) throw error;
  }
}
