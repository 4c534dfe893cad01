import type { ToolFacts } from './agent.ts';
import type { Evidence } from './evidence.ts';
import { idsIn } from './ids-in-text.ts';
import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { idWords } from './seen-words.ts';
import type { CallAction, Item } from './transcript.ts';

/** Words of ids that reading tools were asked for and that none of them found; as `idWords` spells them. */
export function soughtInVain(items: readonly Item[], tools: readonly ToolFacts[], { found }: Evidence): ReadonlySet<string> {
  const outcomes = new Map(items.flatMap((item) => (item.type === 'observation' ? [[item.call, item.status]] : [])));
  const vain = new Set<string>();
  const good = new Set<string>();
  for (const call of callsIn(items)) {
    const tool = tools.find(({ name }) => name === call.tool);
    if (tool?.effect !== 'read') continue;
    const status = outcomes.get(call.id);
    const into = status === 'ok' ? good : status === 'empty' || status === 'error' ? vain : undefined;
    for (const word of into ? soughtIds(tool, call.args) : []) into?.add(word);
  }
  return new Set([...vain].filter((word) => !good.has(word) && !found.has(word)));
}

/** The calls of a transcript, in order. */
export function callsIn(items: readonly Item[]): readonly CallAction[] {
  return items.flatMap((item) => (item.type === 'reply' ? item.actions : [])).filter((action) => action.kind === 'call');
}

/** The fields that the tool declares; for a tool that declares none, whatever in its arguments has the shape of an id. */
function soughtIds({ ids }: ToolFacts, args: JsonObject): readonly string[] {
  const fields = Object.keys(ids);
  if (fields.length === 0) return textsIn(args).flatMap((text) => idsIn(text).flatMap(({ id }) => idWords(id)));
  return fields.filter((field) => Object.hasOwn(args, field)).flatMap((field) => textsIn(args[field] ?? null).flatMap(idWords));
}

/** Every text and number in a value: ids may stand in lists and objects, and a number is an id as well as a text. */
export function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
