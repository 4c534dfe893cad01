import { utf8Bytes } from './json.ts';
import { limitsProblem } from './limits.ts';
import type { Person } from './run.ts';
import type { Verb } from './verbs.ts';

/** A text from a person; larger ones would near Temporal's payload limit once they are in a prompt's delta. */
export const MAX_TEXT_BYTES = 128 * 1024;

/** What makes a payload malformed, for the validators; anything else is accepted and answered. */
export function payloadProblem(verb: Verb, payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null) return `${verb} takes an object`;
  const fields: Readonly<Record<string, unknown>> = { ...payload };
  if (typeof fields['id'] !== 'string' || fields['id'] === '') return `${verb} needs "id", the decision's own id`;
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

/** Somebody with a name, whose claim to it is marked as proven or not. */
export function isPerson(value: unknown): value is Person {
  if (typeof value !== 'object' || value === null) return false;
  const { name, verified }: { readonly name?: unknown; readonly verified?: unknown } = value;
  return typeof name === 'string' && name.trim() !== '' && typeof verified === 'boolean';
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
