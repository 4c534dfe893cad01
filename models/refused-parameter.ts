import { isJsonObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Fault } from './wire-fault.ts';

/** A request without these is another request. */
const NEEDED = ['model', 'messages', 'tools'];
/** Of a message and of a call: what the standard itself puts there. */
const STANDARD = ['role', 'content', 'tool_calls', 'tool_call_id', 'id', 'type', 'function'];
const READ_CHARS = 4_000;

/** How servers word that they do not take a field (OpenAI, Azure, vLLM and other pydantic servers, Mistral, Groq, xAI). */
const REFUSAL =
  /unsupported|not support|unrecogni[sz]ed|unknown|not permitted|not allowed|unexpected|incompatible|extra inputs|extra fields|additional propert|deprecated|invalid|not available|cannot|can't/i;

/** The optional part of this request that a 400 or 422 names as the reason, if it does. */
export function refusedParameter(fault: Fault, body: JsonObject): string | undefined {
  if (fault.kind !== 'status' || (fault.status !== 400 && fault.status !== 422)) return undefined;
  const sent = optionalParts(body);
  const { param, code, message } = fault.said;
  const named = param.split(/[.[\]]+/).findLast((step) => sent.includes(step));
  if (named !== undefined) return named;
  const text = message.slice(0, READ_CHARS);
  if (!REFUSAL.test(text) && !/unsupported|unknown/.test(code)) return undefined;
  return firstNamed(text, sent);
}

/** The part whose name comes first as a whole word: "'max_tokens' is not supported, use 'max_completion_tokens'". */
function firstNamed(text: string, names: readonly string[]): string | undefined {
  const found = names.map((name) => ({ name, at: wordAt(text, name) })).filter(({ at }) => at >= 0);
  return found.sort((a, b) => a.at - b.at)[0]?.name;
}

function wordAt(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text.charAt(at - 1)} ${text.charAt(at + name.length)}`;
    if (!/[A-Za-z0-9_]/.test(around)) return at;
  }
  return -1;
}

/** Top-level parameters, `strict` of a function, and provider fields that are being sent back. */
export function optionalParts(body: JsonObject): readonly string[] {
  const top = Object.keys(body).filter((name) => !NEEDED.includes(name));
  const strict = objects(body.tools).some((tool) => isJsonObject(tool.function) && 'strict' in tool.function);
  const messages = objects(body.messages).filter(({ role }) => role === 'assistant');
  const holders = [...messages, ...messages.flatMap(({ tool_calls: calls }) => objects(calls))];
  const provided = holders.flatMap((holder) => Object.keys(holder)).filter((name) => !STANDARD.includes(name));
  return [...new Set([...top, ...(strict ? ['strict'] : []), ...provided])];
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}
