import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PromptMessage } from '../../core/reply.ts';
import { legalConversation } from '../../models/legal-conversation.ts';

const id = fc.constantFrom('c1', 'c2', 'c3', 'c4');
const message: fc.Arbitrary<PromptMessage> = fc.oneof(
  fc.record({ role: fc.constantFrom('system' as const, 'user' as const), text: fc.string() }),
  fc.record({ role: fc.constant('tool' as const), callId: id, text: fc.string() }),
  fc.record({
    role: fc.constant('assistant' as const), text: fc.string(),
    calls: fc.uniqueArray(id, { maxLength: 4 }).map((ids) => ids.map((each) => ({ id: each, name: 'get_order', argumentsText: '{}' }))),
  }),
);

test('each call is answered exactly once, right behind its message and in order, and nothing else is a tool message', () => {
  fc.assert(fc.property(fc.array(message, { maxLength: 20 }), (messages) => {
    const legal = legalConversation(messages);
    let owed: string[] = [];
    for (const each of legal) {
      if (each.role === 'tool') expect(each.callId).toBe(owed.shift());
      else {
        expect(owed).toEqual([]);
        owed = each.role === 'assistant' ? each.calls.map((call) => call.id) : [];
      }
    }
    expect(owed).toEqual([]);
    expect(legal.filter(({ role }) => role !== 'tool')).toEqual(messages.filter(({ role }) => role !== 'tool'));
  }), { seed: 7, numRuns: 200 });
});

test('a legal conversation stays as it is', () => {
  const messages: PromptMessage[] = [
    { role: 'user', text: 'go' },
    { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'a', argumentsText: '{}' }] },
    { role: 'tool', callId: 'c1', text: 'done' },
  ];
  expect(legalConversation(messages)).toEqual(messages);
});
