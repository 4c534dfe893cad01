import type { CaseworkerClient, DecisionOutcome } from '../../client/types.ts';
import type { Chance } from './chance.ts';
import type { Runs } from './runs.ts';

/** A decision that was sent, and what its sender was told. */
export interface SentDecision {
  readonly id: string;
  readonly run: string;
  outcome: DecisionOutcome['state'] | 'not_known' | 'ended';
}

export interface Persons {
  /** Sends a message to some active run, without waiting. */
  message(): void;
  /** Answers questions, and now and then says something. */
  tick(): void;
  sent(): readonly SentDecision[];
  /** Waits for what is on its way. */
  close(): Promise<void>;
}

const BY = { name: 'asha', verified: false };

export interface PersonsParts {
  readonly client: CaseworkerClient;
  readonly runs: Runs;
  readonly chance: Chance;
}

/** Persons of whom nobody knows when they come: messages at random, an answer to each question. */
export function startPersons({ client, runs, chance }: PersonsParts): Persons {
  const sent: SentDecision[] = [];
  const flying = new Set<Promise<void>>();
  const answered = new Map<string, number>();

  const track = (decision: SentDecision, work: Promise<DecisionOutcome>): void => {
    sent.push(decision);
    const done = work.then(
      ({ state }) => {
        decision.outcome = state;
      },
      (error: unknown) => {
        decision.outcome = error instanceof Error && error.name === 'RunEndedError' ? 'ended' : 'not_known';
      },
    ).finally(() => flying.delete(done));
    flying.add(done);
  };

  const message = (): void => {
    const active = runs.active();
    const run = active[chance.int(Math.max(1, active.length))];
    if (run === undefined) return;
    const id = `message-${sent.length}`;
    track({ id, run, outcome: 'not_known' }, client.message(run, { id, by: BY, text: `The customer called (${sent.length}).` }));
  };

  /** Looks what is held and says yes to exactly that; one decision a call, sent until it is taken. */
  const approve = (run: string): void => {
    if (Date.now() < (answered.get(run) ?? 0)) return;
    answered.set(run, Date.now() + 1_500);
    const work = client.progress(run).then(async (progress) => {
      for (const { call, argsHash } of progress?.held ?? []) {
        const id = `approve-${run}-${call}`;
        const decided = client.decide(run, 'approve', { id, by: BY, call, argsHash });
        if (!sent.some((decision) => decision.id === id)) track({ id, run, outcome: 'not_known' }, decided);
        await decided;
      }
    }).catch(() => undefined).finally(() => flying.delete(work));
    flying.add(work);
  };

  return {
    message,
    sent: () => sent,
    tick: () => {
      if (chance.int(60) === 0) message();
      for (const run of runs.active()) {
        if (runs.status(run) === 'waiting_approval') approve(run);
        if (runs.status(run) !== 'waiting_answer' || Date.now() < (answered.get(run) ?? 0)) continue;
        answered.set(run, Date.now() + 2_000);
        // One decision, sent until it is taken: a repeat changes nothing.
        const id = `answer-${run}`;
        const known = sent.find((decision) => decision.id === id);
        const work = client.answer(run, { id, by: BY, text: 'Yes, go on.' });
        if (known) void work.catch(() => undefined);
        else track({ id, run, outcome: 'not_known' }, work);
      }
    },
    close: async () => {
      await Promise.all(flying);
    },
  };
}
