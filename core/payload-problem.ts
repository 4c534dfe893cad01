import { isJsonObject, utf8Bytes } from './json.ts';
import { limitsProblem } from './limits.ts';
import { nano } from './money.ts';
import type { Person } from './run.ts';
import type { Verb } from './verbs.ts';

/** A text from a person; larger ones would near Temporal's payload limit once they are in a prompt's delta. */
export const MAX_TEXT_BYTES = 128 * 1024;

/** Ids and names; a search attribute takes 2,048 bytes, and people read them in one line. */
const MAX_NAME_BYTES = 200;
const MAX_DEPTH = 32;
const MAX_ROLES = 50;

type FieldCheck = (value: unknown) => boolean;

const isText: FieldCheck = (value) => typeof value === 'string';
const isName: FieldCheck = (value) => typeof value === 'string' && utf8Bytes(value) <= MAX_NAME_BYTES;
const isObject: FieldCheck = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts: FieldCheck = (value) => Array.isArray(value) && value.every(isText);
const isMoney: FieldCheck = (value) => {
  const { amount, currency }: Readonly<Record<'amount' | 'currency', unknown>> = { amount: undefined, currency: undefined, ...(isJsonObject(value) ? value : {}) };
  return typeof amount === 'string' && nano(amount) !== undefined && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency);
};
const isPositions: FieldCheck = (value) => Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && Number(one) > 0);

/** What a field must be, whichever verb has it. */
const FIELDS = {
  reason: ['text', isText], note: ['text', isText], goal: ['text', isText], text: ['text', isText],
  call: ['a call\'s number', isName], tool: ['a tool\'s name', isName], argsHash: ['the hash that the inbox shows', isName],
  constraints: ['a list of texts', isTexts], add: ['a list of texts', isTexts], done: ['a list of numbers from 1', isPositions],
  now: ['true or false', (value) => typeof value === 'boolean'],
  args: ['an object', isObject], fields: ['an object', isObject],
  answer: ['text or an object', (value) => isText(value) || isObject(value)],
  result: ['text or an object', (value) => isText(value) || isObject(value)],
  outcome: ['"happened", "not_happened" or "retry"', (value) => value === 'happened' || value === 'not_happened' || value === 'retry'],
  limits: ['an object', isObject],
  upTo: ['a list of amounts such as {"amount": "500", "currency": "INR"}', (value) => Array.isArray(value) && value.length > 0 && value.every(isMoney)],
} as const satisfies Readonly<Record<string, readonly [string, FieldCheck]>>;
type Field = keyof typeof FIELDS;

interface VerbFields {
  readonly required: readonly Field[];
  readonly optional: readonly Field[];
}

const VERB_FIELDS: Readonly<Record<Verb, VerbFields>> = {
  cancel: { required: ['reason'], optional: [] },
  pause: { required: [], optional: ['reason'] },
  resume: { required: [], optional: ['note', 'goal', 'limits'] },
  resolve: { required: ['answer'], optional: [] },
  message: { required: ['text'], optional: ['now'] },
  redirect: { required: [], optional: ['goal', 'constraints', 'now'] },
  answer: { required: [], optional: ['call', 'text', 'fields'] },
  approve: { required: ['call', 'argsHash'], optional: ['reason'] },
  edit: { required: ['call', 'argsHash', 'args'], optional: ['reason', 'upTo'] },
  reject: { required: ['call', 'argsHash', 'reason'], optional: [] },
  respond: { required: ['call', 'argsHash', 'text'], optional: ['reason'] },
  settle: { required: ['call', 'outcome'], optional: ['result'] },
  'take-over': { required: [], optional: ['reason'] },
  call: { required: ['tool', 'args'], optional: [] },
  todo: { required: [], optional: ['done', 'add'] },
  'give-back': { required: [], optional: ['note', 'goal', 'limits'] },
};

/** Of these at least one. */
const ONE_OF: Readonly<Partial<Record<Verb, readonly Field[]>>> = {
  redirect: ['goal', 'constraints'], answer: ['text', 'fields'], todo: ['done', 'add'],
};

/** What makes a payload malformed, for the validators; anything else is accepted and answered. */
export function payloadProblem(verb: Verb, payload: unknown): string | undefined {
  if (isDeeperThan(payload, MAX_DEPTH)) return `${verb} takes flat fields, not lists within lists`;
  if (typeof payload !== 'object' || payload === null) return `${verb} takes an object`;
  const fields: Readonly<Record<string, unknown>> = { ...payload };
  const { required, optional } = VERB_FIELDS[verb];
  const known: readonly string[] = ['id', 'by', ...required, ...optional];
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) return `there is no field "${unknown.slice(0, 40)}": ${verb} takes ${known.join(', ')}`;
  return identityProblem(verb, fields) ?? missingProblem(verb, fields) ?? valueProblem(fields);
}

function identityProblem(verb: Verb, { id, by }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof id !== 'string' || id === '' || utf8Bytes(id) > MAX_NAME_BYTES) {
    return `${verb} needs "id", the decision's own id, of at most ${MAX_NAME_BYTES} bytes`;
  }
  return isPerson(by) ? undefined : `${verb} needs "by": {"name": "…", "verified": false}`;
}

function missingProblem(verb: Verb, fields: Readonly<Record<string, unknown>>): string | undefined {
  const missing = VERB_FIELDS[verb].required.find((name) => fields[name] === undefined);
  if (missing) return `${verb} needs "${missing}"`;
  const oneOf = ONE_OF[verb];
  if (oneOf?.every((name) => fields[name] === undefined)) return `${verb} needs ${oneOf.map((name) => `"${name}"`).join(' or ')}`;
  return undefined;
}

function valueProblem(fields: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, [kind, check]] of Object.entries(FIELDS)) {
    const value = fields[name];
    if (value === undefined) continue;
    if (!check(value)) return `"${name}" must be ${kind}`;
    if (utf8Bytes(JSON.stringify(value)) > MAX_TEXT_BYTES) {
      return `"${name}" is larger than ${MAX_TEXT_BYTES / 1024} KiB: send it in parts, or as a file that a tool reads`;
    }
  }
  return fields['limits'] === undefined ? undefined : limitsProblem(fields['limits']);
}

/** Somebody with a name, whose claim to it is marked as proven or not, with the roles that were proven with it. */
export function isPerson(value: unknown): value is Person {
  if (typeof value !== 'object' || value === null) return false;
  const { name, verified, roles, ...more }: Readonly<Record<'name' | 'verified' | 'roles', unknown>> = { name: undefined, verified: undefined, roles: undefined, ...value };
  const isName = typeof name === 'string' && name.trim() !== '' && utf8Bytes(name) <= MAX_NAME_BYTES;
  const areRoles = roles === undefined || (Array.isArray(roles) && roles.length <= MAX_ROLES && roles.every((role) => isText(role) && utf8Bytes(String(role)) <= MAX_NAME_BYTES));
  return isName && areRoles && typeof verified === 'boolean' && Object.keys(more).length === 0;
}

/** Looks no deeper than it must: what is nested thousands of levels would overflow the stack of whoever reads it whole. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeperThan(one, levels - 1));
}
