import { utf8Bytes } from './json.ts';
import { limitsProblem } from './limits.ts';
import type { Person } from './run.ts';
import type { Verb } from './verbs.ts';

/** A text from a person; larger ones would near Temporal's payload limit once they are in a prompt's delta. */
export const MAX_TEXT_BYTES = 128 * 1024;

/** Ids and names; a search attribute takes 2,048 bytes, and people read them in one line. */
const MAX_NAME_BYTES = 200;
const MAX_DEPTH = 32;

/** What makes a payload malformed, for the validators; anything else is accepted and answered. */
export function payloadProblem(verb: Verb, payload: unknown): string | undefined {
  if (isDeeperThan(payload, MAX_DEPTH)) return `${verb} takes flat fields, not lists within lists`;
  if (typeof payload !== 'object' || payload === null) return `${verb} takes an object`;
  const fields: Readonly<Record<string, unknown>> = { ...payload };
  const unknown = Object.keys(fields).find((name) => !KNOWN_FIELDS.includes(name));
  if (unknown !== undefined) return `there is no field "${unknown.slice(0, 40)}"`;
  const { id } = fields;
  if (typeof id !== 'string' || id === '' || utf8Bytes(id) > MAX_NAME_BYTES) {
    return `${verb} needs "id", the decision's own id, of at most ${MAX_NAME_BYTES} bytes`;
  }
  if (!isPerson(fields['by'])) return `${verb} needs "by": {"name": "…", "verified": false}`;
  if (verb === 'redirect' && fields['goal'] === undefined && fields['constraints'] === undefined) {
    return 'redirect needs "goal", "constraints", or both';
  }
  const missing = REQUIRED[verb].find((name) => fields[name] === undefined);
  if (missing) return `${verb} needs "${missing}"`;
  const odd = TEXT_FIELDS.find((name) => fields[name] !== undefined && typeof fields[name] !== 'string');
  if (odd) return `"${odd}" must be text`;
  const large = Object.entries(fields).find(([, value]) => utf8Bytes(JSON.stringify(value) ?? '') > MAX_TEXT_BYTES);
  if (large) return `"${large[0]}" is larger than ${MAX_TEXT_BYTES / 1024} KiB: send it in parts, or as a file that a tool reads`;
  return otherFieldsProblem(fields);
}

const REQUIRED: { readonly [V in Verb]: readonly string[] } = {
  cancel: ['reason'], pause: [], resume: [], resolve: ['answer'], message: ['text'], redirect: [], answer: ['text'],
};
const TEXT_FIELDS = ['reason', 'note', 'goal', 'text', 'call'];
const KNOWN_FIELDS = [...TEXT_FIELDS, 'id', 'by', 'constraints', 'answer', 'limits'];

/** Somebody with a name, whose claim to it is marked as proven or not. */
export function isPerson(value: unknown): value is Person {
  if (typeof value !== 'object' || value === null) return false;
  const { name, verified, ...more }: { readonly name?: unknown; readonly verified?: unknown } = value;
  const isName = typeof name === 'string' && name.trim() !== '' && utf8Bytes(name) <= MAX_NAME_BYTES;
  return isName && typeof verified === 'boolean' && Object.keys(more).length === 0;
}

/** Looks no deeper than it must: what is nested thousands of levels would overflow the stack of whoever reads it whole. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeperThan(one, levels - 1));
}

function otherFieldsProblem(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { constraints, answer, limits } = fields;
  if (constraints !== undefined && !(Array.isArray(constraints) && constraints.every((one) => typeof one === 'string'))) {
    return '"constraints" must be a list of texts';
  }
  if (answer !== undefined && typeof answer !== 'string' && (typeof answer !== 'object' || answer === null || Array.isArray(answer))) {
    return '"answer" must be text or an object';
  }
  return limits === undefined ? undefined : limitsProblem(limits);
}
