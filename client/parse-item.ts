import { isJsonObject } from '../core/json.ts';
import type { RunResult } from '../core/run.ts';
import type { Item } from '../core/transcript.ts';

/** An item of a type, or with fields, that this build does not know. */
export interface UnknownItem {
  readonly type: 'unknown';
  readonly was: string;
  readonly atMs?: number;
}

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const list: Check = Array.isArray;
const object: Check = isJsonObject;
const usage: Check = (value) => isJsonObject(value) && number(value.inputTokens) && number(value.outputTokens);
const person: Check = (value) => isJsonObject(value) && text(value.name);
const actions: Check = (value) =>
  Array.isArray(value) && value.every((action) => isJsonObject(action) && text(action.kind) && text(action.id));

/** The fields that a reader of the trace relies on, by type of item. */
const FIELDS: Readonly<Record<Item['type'], Readonly<Record<string, Check>>>> = {
  task: { goal: text, constraints: list, agent: object, budget: object },
  reply: { turn: number, actions, notes: list, usage },
  observation: { call: text, tool: text, status: text, text },
  nudge: { turn: number, text },
  stop: { turn: number, reason: text, text, usage },
  person: { verb: text, by: person, id: text, text },
  held: { call: text, tool: text, facts: object, deadlineMs: number },
  elided: { before: number },
  summary: { before: number, text },
};

/** The item in a stored value; an UnknownItem when this build cannot read it. Never throws. */
export function parseItem(value: unknown): Item | UnknownItem {
  if (isItem(value)) return value;
  const was = isJsonObject(value) && typeof value.type === 'string' ? value.type.slice(0, 64) : typeof value;
  return {
    type: 'unknown',
    was,
    ...(isJsonObject(value) && typeof value.atMs === 'number' ? { atMs: value.atMs } : {}),
  };
}

function isItem(value: unknown): value is Item {
  if (!isJsonObject(value) || typeof value.type !== 'string' || !isItemType(value.type)) return false;
  return Object.entries(FIELDS[value.type]).every(([field, check]) => check(value[field]));
}

function isItemType(type: string): type is Item['type'] {
  return Object.hasOwn(FIELDS, type);
}

export function isRunResult(value: unknown): value is RunResult {
  return isJsonObject(value) && text(value.endReason) && usage(value.usage) && list(value.stops);
}
