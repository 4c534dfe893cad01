import type { PinnedAgent, ToolFacts } from '../core/agent.ts';
import { hasId } from '../core/evidence.ts';
import type { Evidence } from '../core/evidence.ts';
import { isJsonObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { BUILT_IN } from '../core/names.ts';
import { nearNames } from '../core/nearest-name.ts';
import { phrase } from '../core/phrase.ts';
import { idWords } from '../core/seen-words.ts';

/** An argument that names something. */
export interface NamedId {
  readonly field: string;
  readonly value: string;
  /** The kind of thing it names, in the words of the tool's author. */
  readonly kind: string;
}

/** One that this run has never heard of. */
export type UnseenId = NamedId;

const VALUE_CHARS = 80;
const NEAR_SHOWN = 3;
const TOOLS_SHOWN = 5;
/** Near ids are looked for among the newest words only: a long run has seen thousands. */
const WORDS_COMPARED = 1_000;

export function unseenId({ ids }: ToolFacts, args: JsonObject, evidence: Evidence): UnseenId | undefined {
  return idsIn(args, ids).find(({ value }) => !hasId(evidence, value));
}

/** Every value in a field that names something, in the order of the tool's own list. */
export function idsIn(args: JsonObject, ids: ToolFacts['ids']): readonly NamedId[] {
  return Object.entries(ids).flatMap(([field, kind]) =>
    (Object.hasOwn(args, field) ? textsIn(args[field] ?? null) : []).map((value) => ({ field, value, kind })));
}

/** Ids may stand in lists and objects; a number is an id as well as a text. */
function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** What the model is told: what is wrong with the id, which ones it may have meant, and where such ids come from. */
export function unseenText({ field, value, kind }: UnseenId, facts: ToolFacts, { agent, evidence }: { readonly agent: PinnedAgent; readonly evidence: Evidence }): string {
  const near = nearNames(value, idsOf(evidence)).slice(0, NEAR_SHOWN);
  const sources = sourcesOf(kind, facts, agent);
  const where = isOnlyEchoed(value, evidence)
    ? 'was brought up by a call of your own, and the result only gave it back: no other result, no person and not the task names it.'
    : 'stands nowhere in this run, neither in the task, nor in a result, nor in what a person said.';
  return [
    `${facts.name} was not run: the ${kind} id "${value.slice(0, VALUE_CHARS)}" (${field}) ${where}`,
    ...(near.length > 0 ? [`Seen were: ${near.join(', ')}.`] : []),
    `Take ids from there${sources.length > 0 ? `, look it up with ${sources.join(' or ')}` : ''}, or ask for it with ${BUILT_IN.askPerson}.`,
  ].join(' ');
}

function isOnlyEchoed(value: string, { echoed, texts }: Evidence): boolean {
  const name = phrase(value);
  return idWords(value).some((word) => echoed.has(word)) || texts.some(({ text, asked }) => asked.includes(name) && text.includes(name));
}

/** Dates and amounts are words of the evidence too; what is offered should look like an id. */
function idsOf({ words }: Evidence): readonly string[] {
  return [...words].slice(-WORDS_COMPARED).filter((word) => /\d/.test(word) && !/^\d{1,3}$|[.:]|^\d{4}-\d\d-\d\d/.test(word));
}

/** Tools that only look things up and do not need an id of this kind themselves. */
function sourcesOf(kind: string, { name }: ToolFacts, { tools }: PinnedAgent): readonly string[] {
  return tools
    .filter((tool) => tool.effect === 'read' && tool.name !== name && !Object.values(tool.ids).includes(kind) && canTellOf(kind, tool))
    .map((tool) => tool.name)
    .slice(0, TOOLS_SHOWN);
}

/** A calculator knows no orders: the tool must speak of the kind of thing. */
function canTellOf(kind: string, { name, description }: ToolFacts): boolean {
  return `${name} ${description}`.toLowerCase().includes(kind.toLowerCase());
}
