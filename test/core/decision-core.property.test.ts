import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgetLeft, reservation } from '../../core/budget.ts';
import { END_REASONS } from '../../core/run.ts';
import type { RunState } from '../../core/state.ts';
import type { Item, ObservationStatus } from '../../core/transcript.ts';
import { answer, call, observed, replyWith, simulate } from '../support/simulated-run.ts';
import type { ActionDraft, Simulated } from '../support/simulated-run.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';

const RUNS = 5_000;

const id = fc.constantFrom('1', '2', '3');
const action: fc.Arbitrary<ActionDraft> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('get_order', 'get_policy'), id).map(([tool, one]) => call(tool, one)) },
  { weight: 2, arbitrary: fc.tuple(id, fc.boolean()).map(([one, held]): ActionDraft => ({ ...call('refund', one), needsApproval: held } as ActionDraft)) },
  { weight: 2, arbitrary: fc.constantFrom('format', 'empty', 'unknown_tool', 'bad_arguments', 'unseen_id').map((problem): ActionDraft =>
    ({ kind: 'invalid', problem: problem as 'format', raw: 'x', text: `Wrong: ${problem}.`, hash: problem })) },
  { weight: 1, arbitrary: fc.constant<ActionDraft>({ kind: 'update_todo', items: [{ text: 'look', done: false }] }) },
  { weight: 1, arbitrary: fc.constantFrom('id', 'amount', 'not_found').map((kind): ActionDraft =>
    ({ kind: 'final_answer', answer: 'It is so.', problems: [{ kind: kind, value: 'X-1' }] })) },
  { weight: 1, arbitrary: fc.constant(answer('It is so.')) },
  { weight: 1, arbitrary: fc.constant<ActionDraft>({ kind: 'hand_over', reason: 'legal' }) },
  { weight: 1, arbitrary: fc.constant<ActionDraft>({ kind: 'ask_person', question: 'Which one?' }) },
);

const turn = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 20 }),
  /** Part of the reservation that the provider reports as used. */
  used: fc.integer({ min: 0, max: 100 }),
  ms: fc.integer({ min: 0, max: 2_000 }),
  lost: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 8 }),
  status: fc.constantFrom<ObservationStatus>('ok', 'empty', 'error', 'unknown'),
});

const world = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 30 }),
  limits: fc.record({
    turns: fc.integer({ min: 1, max: 25 }),
    tokens: fc.integer({ min: 1, max: 60_000 }),
    timeMs: fc.integer({ min: 1, max: 20_000 }),
    repeats: fc.integer({ min: 2, max: 4 }),
  }),
});

type World = typeof world extends fc.Arbitrary<infer One> ? One : never;

function runIn({ turns, limits }: World): Simulated {
  const agent = pinnedAgent({
    limits: { turns: limits.turns, budget: { kind: 'tokens', tokens: limits.tokens }, timeMs: limits.timeMs, repeats: limits.repeats },
  });
  let call = 0;
  const next = () => turns[call++ % turns.length] ?? turns[0]!;
  let now = next();
  return simulate({
    agent,
    reply: (state) => {
      now = next();
      const { inputTokens, outputTokens } = reservation(state);
      if (now.lost !== null && call < 40) {
        return { kind: 'lost', type: 'Model.Unavailable', text: 'down', details: { attempts: now.lost, unknownBilling: Math.min(1, now.lost), ms: now.ms }, allowed: { attempts: 1, timeoutMs: 100 } };
      }
      const used = { inputTokens: Math.floor((inputTokens * now.used) / 100), outputTokens: Math.floor((outputTokens * now.used) / 100), ms: now.ms, promptBytes: Math.max(1, reservation(state).promptBytes) };
      return replyWith(state, now.actions, used);
    },
    run: (one, state) => ({ ...observed(one, `${one.hash} ${state.turn % 5}`, now.status), ms: now.ms }),
  });
}

function problem({ state, result }: Simulated): string | undefined {
  if (!END_REASONS.includes(result.endReason)) return `end reason ${result.endReason}`;
  if ((result.endReason === 'final_answer') === (result.handOver !== undefined)) return 'a package exactly when there is no answer';
  if (result.usage.turns > state.limits.turns) return 'more turns than allowed';
  if (budgetLeft(state) < 0n) return 'spent above the budget';
  if (result.stops.length !== 1) return `${result.stops.length} stops`;
  return observationProblem(state);
}

/** Exactly one observation an action, after its reply, in the model's order (a question's comes when it is closed). */
function observationProblem(state: RunState): string | undefined {
  const actions = state.items.flatMap((item) => (item.type === 'reply' ? item.actions : []));
  const isObservation = (item: Item) => item.type === 'observation';
  const asked = new Set(actions.flatMap(({ kind, id }) => (kind === 'ask_person' ? [id] : [])));
  const observed = state.items.filter(isObservation).flatMap((item) => (item.type === 'observation' ? [item.call] : []));
  if (new Set(observed).size !== observed.length) return 'an action with two observations';
  const inOrder = actions.map(({ id }) => id).filter((id) => !asked.has(id));
  if (inOrder.join() !== observed.filter((id) => !asked.has(id)).join()) return 'observations out of order or missing';
  return actions.every(({ id }) => observed.includes(id)) ? undefined : 'an action without an observation';
}

test(`${RUNS} random runs: never past a limit, one end reason of the closed set, one observation an action`, () => {
  fc.assert(
    fc.property(world, (one) => {
      expect(problem(runIn(one))).toBeUndefined();
    }),
    { numRuns: RUNS, seed: 88213 },
  );
}, 120_000);
