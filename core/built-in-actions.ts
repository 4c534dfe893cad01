import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { canonicalText } from './canonical-text.ts';
import { cutText } from './data-text.ts';
import { unreadableInput } from './format-problem.ts';
import { BUILT_IN } from './names.ts';
import { questionForm } from './question-form.ts';
import type { ReadAction } from './reply.ts';
import type { TodoEntry } from './transcript.ts';

/** A to-do list is a help to remember, not a store: it is said again with every prompt. */
const TODO_ITEMS_MAX = 50;
const TODO_CHARS = 500;
const NO_REASON = 'No reason given.';

/** Arguments of a built-in action, with the text that they were read from. */
export interface BuiltInInput {
  readonly args: JsonObject;
  readonly raw: string;
  readonly repaired?: string;
}

/** The action that a built-in's arguments stand for. Both forms end here. */
export function builtInAction(name: string, input: BuiltInInput): ReadAction {
  const { args, raw } = input;
  switch (name) {
    case BUILT_IN.finalAnswer: return { kind: 'final_answer', text: canonicalText(args) };
    case BUILT_IN.askPerson: return askPerson(firstText(args, ['question', 'text', 'message']), raw, args.fields);
    case BUILT_IN.handOver: return handOver(args);
    case BUILT_IN.todo: return updateTodo(args.items, raw);
    default: return recall(input);
  }
}

/** The same for free text: `ask_person[question]`. */
export function builtInFromText(name: string, text: string): ReadAction {
  switch (name) {
    case BUILT_IN.finalAnswer:
      return text === '' ? unreadableInput(name, 'the answer is missing', text) : { kind: 'final_answer', text };
    case BUILT_IN.askPerson: return askPerson(text, text);
    case BUILT_IN.handOver: return { kind: 'hand_over', reason: text || NO_REASON };
    case BUILT_IN.todo: return todoLines(text);
    default: return recall({ args: { id: text }, raw: text });
  }
}

function askPerson(question: string | undefined, raw: string, fields?: JsonValue): ReadAction {
  if (question === undefined || question.trim() === '') {
    return unreadableInput(BUILT_IN.askPerson, 'the question is missing; it is the field "question"', raw);
  }
  const read = questionForm(fields);
  if ('problem' in read) return unreadableInput(BUILT_IN.askPerson, read.problem, raw);
  return { kind: 'ask_person', question: question.trim(), ...read };
}

/** A hand-over without a reason is one all the same: a person is the safe side. */
function handOver(args: JsonObject): ReadAction {
  const reason = firstText(args, ['reason', 'message', 'text'])?.trim();
  const queue = typeof args.queue === 'string' ? args.queue.trim() : '';
  return { kind: 'hand_over', reason: reason || NO_REASON, ...(queue ? { queue } : {}) };
}

function firstText(args: JsonObject, fields: readonly string[]): string | undefined {
  return fields.map((field) => (Object.hasOwn(args, field) ? args[field] : undefined)).find((value) => typeof value === 'string');
}

function updateTodo(items: JsonValue | undefined, raw: string): ReadAction {
  if (!Array.isArray(items)) return unreadableInput(BUILT_IN.todo, 'the field "items" must be a list of {"text","done"}', raw);
  const entries = (items as readonly JsonValue[]).map(todoEntry);
  const whole = entries.filter((entry) => entry !== undefined);
  if (whole.length < entries.length) return unreadableInput(BUILT_IN.todo, 'each item needs a "text" and may have "done"', raw);
  return todoOf(whole, raw);
}

function todoEntry(item: JsonValue): TodoEntry | undefined {
  if (typeof item === 'string') return entry(item, false);
  if (!isJsonObject(item) || typeof item.text !== 'string') return undefined;
  if (item.done !== undefined && typeof item.done !== 'boolean') return undefined;
  return entry(item.text, item.done ?? false);
}

function entry(text: string, done: boolean): TodoEntry | undefined {
  const trimmed = text.trim();
  return trimmed === '' ? undefined : { text: cutText(trimmed, TODO_CHARS), done };
}

function todoOf(items: readonly TodoEntry[], raw: string): ReadAction {
  if (items.length > TODO_ITEMS_MAX) return unreadableInput(BUILT_IN.todo, `the list has more than ${TODO_ITEMS_MAX} items`, raw);
  return { kind: 'update_todo', items };
}

/** One item a line, as people write lists: `- [x] look up the order`, `2. compute the fee`. */
function todoLines(text: string): ReadAction {
  const entries = text.split('\n').flatMap((line) => {
    const [, box, item = ''] = /^[ \t]*(?:[-*+][ \t]|\d{1,3}[.)][ \t])?[ \t]*(\[[ xX]\])?(.*)$/.exec(line) ?? [];
    const read = entry(item, box !== undefined && box.toLowerCase() === '[x]');
    return read ? [read] : [];
  });
  return entries.length === 0 ? unreadableInput(BUILT_IN.todo, 'the list is empty', text) : todoOf(entries, text);
}

/** A plain call of the tool of this name; ids such as 3.10 are no numbers, though models write them without quotes. */
function recall({ args, raw, repaired }: BuiltInInput): ReadAction {
  const text = typeof args.id === 'number' ? /"id"\s*:\s*(\d+\.\d+)/.exec(raw)?.[1] ?? String(args.id) : args.id;
  const [, id, from] = /^[^\d]{0,20}(\d{1,9}\.p?\d{1,9})(?:\s*,\s*(\d{1,9}))?/.exec(typeof text === 'string' ? text : '') ?? [];
  const read: JsonObject = id === undefined ? args : { ...args, id, ...(from === undefined ? {} : { from: Number(from) }) };
  return { kind: 'call', tool: BUILT_IN.recall, args: read, raw, ...(repaired === undefined ? {} : { repaired }) };
}
