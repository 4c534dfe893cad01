import type { Form } from './agent.ts';
import { conversation } from './conversation.ts';
import { utf8Bytes } from './json.ts';
import type { JsonObject } from './json.ts';
import { reminderText } from './reminder.ts';
import type { Prompt, PromptMessage } from './reply.ts';
import { shownItems } from './shown-items.ts';
import type { Item, TodoEntry } from './transcript.ts';

/** Role, ids, quotes and a chat template's own tokens around one message, one call and one function: more than all known. */
const ENVELOPE_BYTES = 64;
/** Between two pieces of one user message. */
export const PART_GAP = '\n\n';

/** UTF-8 bytes of everything that is sent, envelopes included: an upper bound of its tokens. */
export function promptBytes({ messages, functions }: Pick<Prompt, 'messages' | 'functions'>): number {
  const specs = functions.reduce((sum, spec) => sum + utf8Bytes(JSON.stringify(spec)) + ENVELOPE_BYTES, 0);
  return messages.reduce((sum, message) => sum + messageBytes(message), specs);
}

/** An item never changes, and its bytes are asked for several times a turn: by each guard, and by the reservation. */
const known = new WeakMap<Item, number>();

/** Upper bound of what one item adds to a prompt, in either form. Linear in the item. */
export function itemBytes(item: Item): number {
  const before = known.get(item);
  if (before !== undefined) return before;
  const bytes = measuredBytes(item);
  known.set(item, bytes);
  return bytes;
}

function measuredBytes(item: Item): number {
  const bytes = (form: Form) =>
    conversation(form, [item]).reduce((sum, { message }) => sum + messageBytes(message) + PART_GAP.length, 0);
  return Math.max(bytes('text'), bytes('function-calling'));
}

/** Upper bound of what these items add to the next prompt, marks applied; `first` is the number of the first of them. */
export function currentPromptBytes(items: readonly Item[], first = 0): number {
  return shownItems(items, first).reduce((sum, item) => sum + itemBytes(item), 0);
}

/** Upper bound of the reminder, in either form. */
export function reminderBytes(goal: string, constraints: readonly string[], todo: readonly TodoEntry[]): number {
  const bytes = (form: Form) => utf8Bytes(reminderText(form, { goal, constraints, todo }));
  return Math.max(bytes('text'), bytes('function-calling')) + PART_GAP.length + ENVELOPE_BYTES;
}

function messageBytes(message: PromptMessage): number {
  const text = utf8Bytes(message.text) + ENVELOPE_BYTES;
  if (message.role === 'tool') return text + message.callId.length;
  if (message.role !== 'assistant') return text;
  const calls = message.calls.reduce(
    (sum, { id, name, argumentsText, provider }) =>
      sum + utf8Bytes(`${id}${name}${argumentsText}`) + providerBytes(provider) + ENVELOPE_BYTES,
    0,
  );
  return text + calls + providerBytes(message.provider);
}

function providerBytes(provider: JsonObject | undefined): number {
  return provider === undefined ? 0 : utf8Bytes(JSON.stringify(provider));
}
