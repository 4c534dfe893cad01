import { describe, expect, test } from 'vitest';
import { carried, MAX_CARRIED_BYTES, summarise, withMarks } from '../../core/compaction.ts';
import { evidenceOf } from '../../core/evidence.ts';
import { promptBytes, renderPrompt } from '../../core/prompt.ts';
import { recordObservations, recordReply } from '../../core/record.ts';
import { append, nextNumber, startRun } from '../../core/state.ts';
import type { RunState } from '../../core/state.ts';
import { reservation } from '../../core/budget.ts';
import { utf8Bytes } from '../../core/json.ts';
import { recordLostThink } from '../../core/think-failure.ts';
import { call, observed, replyWith, USED } from '../support/simulated-run.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';

const agent = pinnedAgent();
const fresh = startRun({ agent: 'desk', task: 'Look at order 88213.' }, agent, { id: 'run', firstRunId: 'first', nowMs: 0 });

function afterTurns(turns: number, text: (turn: number) => string, state = fresh): RunState {
  let now = state;
  for (let i = 0; i < turns; i += 1) {
    const reply = replyWith(now, [call('get_order', `O-${now.turn}`)], { inputTokens: 30_000, promptBytes: 100_000 });
    now = recordReply(now, reply, 0);
    const [action] = reply.actions;
    if (action?.kind !== 'call') throw new Error('a call was said');
    const result = { ...observed(action, text(now.turn)), seen: [`o-${now.turn}`], hash: `sha256 of ${now.turn}` };
    now = recordObservations(now, { reply, steps: [{ run: action }], results: [result], effects: [], nowMs: 0 });
  }
  return now;
}

const long = (turn: number) => `order O-${turn} ${'x'.repeat(1_000)}`;

describe('elision', () => {
  test('old observations go in one large step, the newest turns stay whole', () => {
    const marked = withMarks(afterTurns(10, long), 0);
    expect(marked.items.at(-1)).toMatchObject({ type: 'elided' });
    const shown = JSON.stringify(renderPrompt(agent, marked.items, marked.first));
    expect(shown).not.toContain(long(3));
    expect(shown).toContain(long(10));
  });

  test('no second step until enough new observations have come', () => {
    const marked = withMarks(afterTurns(10, long), 0);
    const soon = afterTurns(2, long, marked);
    expect(withMarks(soon, 0).items.filter(({ type }) => type === 'elided')).toHaveLength(1);
    expect(withMarks(afterTurns(6, long, marked), 0).items.filter(({ type }) => type === 'elided')).toHaveLength(2);
  });
});

describe('summary', () => {
  test('stands for the older turns, names each call, and keeps what they had seen as evidence', () => {
    const marked = summarise(afterTurns(10, long), 0);
    const summary = marked.items.at(-1);
    if (summary?.type !== 'summary') throw new Error('a summary was asked for');
    expect(summary.text).toContain('[3.1] get_order {"id":"O-2"} → ok: order O-3');
    expect([...evidenceOf(carried(marked, 0).items, agent.tools).words]).toEqual(expect.arrayContaining(['o-3', '88213']));
    expect(JSON.stringify(renderPrompt(agent, marked.items, marked.first))).not.toContain(long(3));
  });
});

describe('the bound of the next prompt', () => {
  test.each(['function-calling', 'text'] as const)('is never below the real bytes, marks or not (%s)', (form) => {
    const formAgent = pinnedAgent({ form });
    let state = afterTurns(3, long, startRun({ agent: 'desk', task: 'Look at 88213 ₹.' }, formAgent, { id: 'run', firstRunId: 'f', nowMs: 0 }));
    for (let i = 0; i < 12; i += 1) {
      state = withMarks(afterTurns(2, (turn) => `₹${turn} 🎉 ${long(turn)}`, state), 0);
      if (i === 6) state = summarise(state, 0);
      const prompt = renderPrompt(formAgent, state.items, state.first);
      expect(reservation(state).promptBytes).toBeGreaterThanOrEqual(promptBytes(prompt));
    }
  });
});

describe('the words of what a summary stands for', () => {
  const state = summarise(afterTurns(9, long, summarise(afterTurns(12, long), 0)), 0);

  test('are not written down while the execution has the items', () => {
    const summaries = state.items.filter((item) => item.type === 'summary');
    expect(summaries).toHaveLength(2);
    for (const summary of summaries) expect(summary).not.toHaveProperty('seen');
  });

  test('are evidence all the same when the items are left behind, once and twice', () => {
    const light = carried(state, 0);
    const again = carried(summarise(afterTurns(9, long, light), 0), 0);
    for (const { items, first } of [light, again]) {
      expect(first).toBeGreaterThan(state.first);
      const { words } = evidenceOf(items, agent.tools);
      expect(['88213', 'o-3', 'o-15'].filter((word) => !words.has(word))).toEqual([]);
    }
  });
});

describe('what is carried over continue-as-new', () => {
  test('stays below its cap after 500 turns and loses neither number nor evidence', () => {
    const state = afterTurns(500, long);
    const light = carried(state, 0);
    expect(utf8Bytes(JSON.stringify(light))).toBeLessThanOrEqual(MAX_CARRIED_BYTES);
    expect(nextNumber(light)).toBeGreaterThanOrEqual(nextNumber(state));
    expect(light.items.some((item) => item.type === 'summary' && item.seen?.includes('o-400') === true)).toBe(true);
  });

  test("has the provider's own fields of message and call, as they were", () => {
    const state = afterTurns(3, long);
    const provider = { reasoning_content: 'plan…' };
    const action = { kind: 'call', id: '4.1', tool: 'get_order', args: { id: '5' }, hash: 'h', needsApproval: false, provider: { extra_content: { google: { thought_signature: 'sig==' } } } } as const;
    const last = { type: 'reply', turn: 4, actions: [action], notes: [], usage: USED, provider } as const;
    const light: unknown = JSON.parse(JSON.stringify(carried(append(state, 0, last), 0)));
    expect(light).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ provider, actions: [action] })]) });
  });

  test('stays below its cap when the newest turns alone are too large', () => {
    const many = Array.from({ length: 6 }, (_, i) => ({ type: 'person', verb: 'message', by: { name: 'a', verified: false }, id: `m${i}`, text: 'y'.repeat(120_000) }) as const);
    const light = carried(append(afterTurns(5, long), 0, ...many), 0);
    expect(utf8Bytes(JSON.stringify(light))).toBeLessThanOrEqual(MAX_CARRIED_BYTES);
  });
});

describe('what is carried when little can be left out', () => {
  test('stays below its cap with a thousand unread messages and with results full of ids', () => {
    const said = Array.from({ length: 1_000 }, (_, i) => ({ type: 'person', verb: 'message', by: { name: 'a', verified: false }, id: `m${i}`, text: 'y'.repeat(3_000) }) as const);
    expect(utf8Bytes(JSON.stringify(carried(append(fresh, 0, ...said), 0)))).toBeLessThanOrEqual(MAX_CARRIED_BYTES);
    const found = Array.from({ length: 96 }, (_, i) => ({
      type: 'observation', call: `${1 + Math.floor(i / 16)}.${1 + (i % 16)}`, tool: 'get_order', status: 'ok', text: 'ok', hash: `h${i}`, ms: 1,
      seen: Array.from({ length: 400 }, (_, n) => `https://shop.test/${i}/${n}/${'x'.repeat(60)}`),
    }) as const);
    const state = carried(append(afterTurns(6, long), 0, ...found), 0);
    expect(utf8Bytes(JSON.stringify(state))).toBeLessThanOrEqual(MAX_CARRIED_BYTES);
    expect(state.items.some((item) => item.type === 'summary' || item.type === 'task')).toBe(true);
  });
});

test('a context that is too long is compacted once and asked again; too long once more, it ends with a hand-over', () => {
  const lost = { kind: 'lost', type: 'Model.ContextTooLong', text: 'too long', details: { attempts: 1, unknownBilling: 0, ms: 1 }, allowed: { attempts: 1, timeoutMs: 1 } } as const;
  const once = recordLostThink(afterTurns(10, long), lost, 0);
  expect(once.items.at(-1)).toMatchObject({ type: 'summary' });
  expect(once.ending).toBeUndefined();
  expect(recordLostThink(once, lost, 0).ending).toMatchObject({ reason: 'error', detail: 'Model.ContextTooLong' });
});
