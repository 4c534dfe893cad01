import { describe, expect, test } from 'vitest';
import type { Form } from '../../core/agent.ts';
import { CONVERSATION_BYTES, DEFAULT_CONTEXT, contextMarks } from '../../core/limits.ts';
import { renderPrompt } from '../../core/prompt.ts';
import type { PromptMessage } from '../../core/reply.ts';
import { pinnedAgent, toolFacts } from '../support/pinned-agent.ts';
import { call, observed, replyWith, simulate } from '../support/simulated-run.ts';

/** A desk as they are: eight tools, results of some length, one call a turn. */
const NAMES = ['get_order', 'get_policy', 'get_customer', 'get_invoice', 'find_orders', 'get_courier', 'get_claim', 'refund'];
const TOOLS = NAMES.map((name) => toolFacts({ name, description: 'What it returns, when to use it, and what it costs the desk to ask. '.repeat(3) }));

/** What each of 200 turns sends. A token is four bytes, as the offline model counts, where nothing else is said. */
function sentBy(form: Form, chars: number, { bytesAToken = 4, calls = 1, task = 'Look at order 88213.', instructions = 'You work at the desk.' } = {}): readonly { readonly tokens: number; readonly prefix: string }[] {
  const { promptBytes } = pinnedAgent({ form, instructions, tools: TOOLS });
  const context = contextMarks({ ...DEFAULT_CONTEXT, historyEvents: 1_000_000, historyBytes: 1_000_000_000 }, promptBytes);
  const agent = pinnedAgent({ form, instructions, tools: TOOLS, context, limits: { turns: 200, timeMs: 1e9, budget: { kind: 'tokens', tokens: 1e9 } } });
  const sent: { readonly tokens: number; readonly prefix: string }[] = [];
  simulate({
    agent, task,
    reply: (state) => {
      const { messages, functions } = renderPrompt(agent, state.items, state.first);
      const body = JSON.stringify([messages, functions]);
      const tokens = Math.ceil(body.length / bytesAToken);
      sent.push({ tokens, prefix: withoutReminder(messages) });
      return replyWith(state, Array.from({ length: calls }, (_, i) => call('get_order', `88${state.turn + 100}${i}`)), { inputTokens: tokens, promptBytes: body.length });
    },
    run: (made, state) => observed(made, `Order ${state.turn}: ${'what the desk keeps of an order. '.repeat(60).slice(0, chars)}`),
  });
  return sent;
}

/** Everything but the reminder, which is the end of the last message or all of it. */
function withoutReminder(messages: readonly PromptMessage[]): string {
  const last = messages.at(-1)?.text ?? '';
  const rest = last.startsWith(REMINDER) ? messages.slice(0, -1) : messages;
  const whole = rest.map((message) => `${message.role}\n${message.text}\n${'calls' in message ? JSON.stringify(message.calls) : ''}`).join('\n');
  return (last.startsWith(REMINDER) ? whole : whole.slice(0, whole.lastIndexOf(REMINDER))).trimEnd();
}

const REMINDER = 'Reminder\nGoal:';

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function times(sent: ReturnType<typeof sentBy>): number {
  const tokens = sent.map((one) => one.tokens);
  return sum(tokens) / sum(tokens.slice(0, 20));
}

/** Requests whose beginning is not the whole request before, but for its reminder: each costs a provider's cache once. */
function breaks(sent: ReturnType<typeof sentBy>): number {
  return sent.filter(({ prefix }, i) => i > 0 && !prefix.startsWith(sent[i - 1]?.prefix ?? '')).length;
}

describe.each<Form>(['function-calling', 'text'])('200 turns in the form "%s"', (form) => {
  test('never send more in a turn than the mark and what one turn adds', () => {
    const tokens = sentBy(form, 1_500).map((one) => one.tokens);
    expect(Math.max(...tokens)).toBeLessThan((tokens[0] ?? 0) + CONVERSATION_BYTES / 4 + 1_000);
  });

  test.each([600, 1_000, 1_500])('of results of %d characters send at most 12 times what 20 turns send', (chars) => {
    expect(times(sentBy(form, chars))).toBeLessThanOrEqual(12);
  });

  test('of an agent with 40 KB of instructions, in a language of dense tokens, are shortened as seldom', () => {
    const sent = sentBy(form, 1_000, { bytesAToken: 2.5, instructions: 'What the desk does, and what it never does. '.repeat(930) });
    const [first = 0, ...later] = sent.map((one) => one.tokens);
    expect(Math.max(...later)).toBeLessThan(first + CONVERSATION_BYTES / 2.5 + 1_600);
    expect(breaks(sent)).toBeGreaterThan(0);
    expect(breaks(sent)).toBeLessThanOrEqual(200 / 8);
  });

  test.each([
    ['with four calls each', { calls: 4 }], ['after a task of 20 KB', { task: 'What the customer wrote to us, in full. '.repeat(500) }],
  ])('%s break the cache at most every fourth turn', (_, shape) => {
    expect(breaks(sentBy(form, 1_500, shape))).toBeLessThanOrEqual(200 / 4);
  });

  test('repeat the request before byte for byte, but where a mark takes a large step: at most every eighth turn', () => {
    const sent = sentBy(form, 1_000);
    expect(breaks(sent)).toBeGreaterThan(0);
    expect(breaks(sent)).toBeLessThanOrEqual(200 / 8);
  });
});
