import { isJsonObject, own, utf8Bytes } from './json.ts';
import { isPerson } from './payload-problem.ts';
import type { Item } from './transcript.ts';

/** What can be copied: with the rest of a start it must stay below Temporal's 2 MiB for one payload. */
export const MAX_FORK_BYTES = 1_400 * 1024;

const MAX_LEVELS = 100;

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const usage: Check = (value) => isJsonObject(value) && number(value.inputTokens) && number(value.outputTokens);
const action: Check = (value) =>
  isJsonObject(value) && text(value.id) && typeof value.kind === 'string' && (own(FIELDS_OF_ACTION, value.kind)?.every(([field, check]) => check(value[field])) ?? false);
const todo: Check = (value) => Array.isArray(value) && value.every((entry) => isJsonObject(entry) && text(entry.text) && typeof entry.done === 'boolean');
const noted: Check = (value) => isJsonObject(value) && text(value.kind);
const problem: Check = (value) => isJsonObject(value) && text(value.kind) && text(value.value);

const FIELDS_OF_ACTION: Readonly<Record<string, readonly (readonly [string, Check])[]>> = {
  call: [['tool', text], ['args', isJsonObject], ['hash', text]],
  invalid: [['problem', text], ['raw', text], ['text', text], ['hash', text]],
  final_answer: [['answer', (value) => text(value) || isJsonObject(value)], ['problems', (value) => Array.isArray(value) && value.every(problem)]],
  ask_person: [['question', text]],
  hand_over: [['reason', text]],
  update_todo: [['items', todo]],
};

/** The fields that the loop relies on, by type of item. The task itself is the new run's own. */
const FIELDS: Readonly<Record<Exclude<Item['type'], 'task'>, readonly (readonly [string, Check])[]>> = {
  reply: [
    ['turn', number], ['usage', usage], ['actions', (value) => Array.isArray(value) && value.every(action)],
    ['notes', (value) => Array.isArray(value) && value.every(noted)],
  ],
  observation: [['call', text], ['tool', text], ['status', text], ['text', text], ['seen', texts], ['hash', text]],
  nudge: [['turn', number], ['text', text], ['guard', text]],
  stop: [['turn', number], ['reason', text], ['text', text], ['usage', usage]],
  person: [['verb', text], ['by', isPerson], ['id', text], ['text', text]],
  held: [['call', text], ['tool', text], ['facts', isJsonObject]],
  elided: [['before', number]],
  summary: [['before', number], ['text', text], ['seen', (value) => value === undefined || texts(value)]],
};

/** What is wrong with a copied prefix. Takes anything: it is part of an input that any Temporal client can send. */
export function forkProblem(fork: unknown): string | undefined {
  if (!isJsonObject(fork) || !isJsonObject(fork.parent) || !text(fork.parent.id) || fork.parent.id === '') {
    return 'A fork names its parent: {"parent": {"id": "…"}, "turn": 3, "items": […]}.';
  }
  const { turn, items } = fork;
  if (typeof turn !== 'number' || !Number.isSafeInteger(turn) || turn < 1) return 'A fork begins after a turn: a whole number from 1 on.';
  if (fork.parent.requestedBy !== undefined && !text(fork.parent.requestedBy)) return 'Who asked for the parent of a fork is a name: {"requestedBy": "…"}.';
  if (!Array.isArray(items)) return 'A fork takes the items of its parent as a list.';
  if (isDeep(items, MAX_LEVELS)) return `Something in the fork is nested more than ${MAX_LEVELS} levels deep.`;
  const bytes = utf8Bytes(JSON.stringify(items));
  if (bytes > MAX_FORK_BYTES) {
    return `The first ${turn} turns have ${Math.ceil(bytes / 1024)} KiB; at most ${MAX_FORK_BYTES / 1024} KiB can be copied. Fork at an earlier turn.`;
  }
  const odd = items.findIndex((item) => !isCopied(item));
  return odd < 0 ? undefined : `Item ${odd + 1} of the fork is none that a run can go on from.`;
}

/** Looks no deeper than it must: writing out what is nested thousands of levels would overflow the stack. */
function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeep(one, levels - 1));
}

function isCopied(item: unknown): boolean {
  if (!isJsonObject(item) || typeof item.type !== 'string' || !isType(item.type)) return false;
  return FIELDS[item.type].every(([field, check]) => check(item[field]));
}

function isType(type: string): type is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, type);
}
