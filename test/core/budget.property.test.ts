import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgetLeft, reservation } from '../../core/budget.ts';
import { utf8Bytes } from '../../core/json.ts';
import { promptBytes, renderPrompt } from '../../core/prompt.ts';
import type { Prompt } from '../../core/reply.ts';
import { append } from '../../core/state.ts';
import type { RunState } from '../../core/state.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';
import { answer, call, observed, replyWith, simulate } from '../support/simulated-run.ts';

/** A tokenizer that is as uneven as real ones: a token for a digit or three bytes of another script, a quarter for a letter. */
function tokensOf(text: string): number {
  const digits = text.replace(/[^0-9]/g, '').length;
  return digits + (utf8Bytes(text) - digits) / 4;
}

function promptTokens({ messages, functions }: Prompt): number {
  const spoken = messages.map((message) => message.text + (message.role === 'assistant' ? message.calls.map(({ name, argumentsText }) => name + argumentsText).join('') : ''));
  return Math.ceil([...spoken, ...functions.map((one) => JSON.stringify(one))].reduce((sum, text) => sum + tokensOf(text) + 4, 0));
}

const turn = fc.record({
  chars: fc.integer({ min: 1, max: 1_500 }),
  unit: fc.constantFrom('word ', '8812345678', 'a1', 'हिन्दी '),
  said: fc.option(fc.constantFrom('All is well. ', '314159265358979'), { freq: 4 }),
  isReported: fc.boolean(),
});

test('a prompt that is suddenly denser takes no more than was reserved, across marks, messages and missing usage', () => {
  fc.assert(
    fc.property(fc.array(turn, { minLength: 2, maxLength: 30 }), fc.constantFrom('text', 'function-calling'), (turns, form) => {
      const agent = pinnedAgent({ form: form as 'text', limits: { turns: 40, idleTurns: 40, repeats: 40 } });
      const marked = { ...agent, context: { ...agent.context, elideAboveTokens: 2_000, summariseAboveTokens: 4_000 } };
      const now = (state: RunState) => turns[Math.min(state.turn, turns.length - 1)]!;
      simulate({
        agent: marked,
        reply: (state) => {
          const prompt = renderPrompt(state.agent, state.items, state.first);
          const inputTokens = promptTokens(prompt);
          const { inputTokens: reserved } = reservation(state);
          expect(reserved).toBeGreaterThanOrEqual(inputTokens);
          const { isReported } = now(state);
          const usage = { promptBytes: promptBytes(prompt), inputTokens: isReported ? inputTokens : reserved, estimatedTokens: isReported ? 0 : reserved };
          return replyWith(state, state.turn >= turns.length ? [answer('Done.')] : [call('get_order', String(state.turn))], usage);
        },
        run: (one, state) => observed(one, now(state).unit.repeat(1_500).slice(0, now(state).chars)),
        arrives: (state) => {
          const { said } = now(state);
          return said === null ? state : append(state, 0, { type: 'person', verb: 'message', by: { name: 'Ann', verified: false }, id: `m${state.turn}`, text: said.repeat(50) });
        },
      });
    }),
    { numRuns: 200, seed: 88213 },
  );
}, 60_000);

test('what was sent before is reserved at its density, so that one light turn after another fits a small budget', () => {
  const agent = pinnedAgent({ limits: { turns: 40, idleTurns: 40, repeats: 40, budget: { kind: 'tokens', tokens: 40_000 } } });
  const { result, state } = simulate({
    agent,
    reply: (now) => {
      const prompt = renderPrompt(now.agent, now.items, now.first);
      const usage = { promptBytes: promptBytes(prompt), inputTokens: promptTokens(prompt), outputTokens: 20 };
      return replyWith(now, now.turn === 12 ? [answer('Done.')] : [call('get_order', String(now.turn))], usage);
    },
    run: (one, now) => observed(one, `All is well with order ${now.turn}. `.repeat(10)),
  });
  expect(result.endReason).toBe('final_answer');
  expect(budgetLeft(state)).toBeGreaterThan(0n);
});
