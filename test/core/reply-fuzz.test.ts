import { expect, test } from 'vitest';
import { readFunctionReply } from '../../core/function-form.ts';
import type { JsonValue } from '../../core/json.ts';
import { canonicalJson, isJsonObject, own } from '../../core/json.ts';
import type { ModelReply, ReadReply } from '../../core/reply.ts';
import { readTextReply } from '../../core/text-form.ts';
import { modelReply, TOOLS } from './reply-samples.ts';

const REPLIES = 10_000;
const KINDS = new Set(['call', 'bare_call', 'final_answer', 'ask_person', 'hand_over', 'update_todo', 'format']);

/** Numbers from a seed, the same on every machine (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;

function pick<T>(random: Random, from: readonly [T, ...T[]]): T {
  return from[Math.floor(random() * from.length)] ?? from[0];
}

const WORDS = [
  'order', 'O-5', '₹25', 'a } in text', 'b ] here', 'it\'s', 'say "hi"', '```', 'Observation: x', '\nAction: refund[1]', '<think>',
  '</tool_call>', '\u2028', '😀', '\\', '88213', '__proto__', 'constructor', '',
] as const;
const LABELS = ['Action', 'action', 'ACTION 3', '**Action**', '### Action', '  Action 12', 'Action #2'] as const;
const NAMES = ['get_order', 'search_vendor', 'refund', 'list_queues', 'ask_person', 'hand_over', 'update_todo', 'recall', 'finish', 'nope', '__proto__', 'files.read', 'None'] as const;

function json(random: Random, depth = 0): JsonValue {
  const roll = random();
  if (depth > 2 || roll < 0.35) return pick(random, WORDS);
  if (roll < 0.45) return pick<JsonValue>(random, [0, -1.5, 25, 1e21, 9_007_199_254_740_991, true, false, null]);
  if (roll < 0.6) return Array.from({ length: Math.floor(random() * 4) }, () => json(random, depth + 1));
  return args(random, depth + 1);
}

function args(random: Random, depth = 0): { readonly [key: string]: JsonValue } {
  const keys = Array.from({ length: Math.floor(random() * 4) }, () => pick(random, ['id', 'order_id', 'items', 'text', 'done', 'question', 'reason', 'queue', '__proto__', 'a"b', 'from']));
  return Object.fromEntries(keys.map((key) => [key, json(random, depth)]));
}

/** JSON as models write it: compact, over lines, as Python, with a comma too many, encoded twice. */
function written(random: Random, value: JsonValue): string {
  const compact = JSON.stringify(value);
  return pick(random, [
    compact, compact, JSON.stringify(value, null, 2), JSON.stringify(compact),
    compact.replace(/\}$/, ',}'), compact.replaceAll('true', 'True').replaceAll('null', 'None'),
    compact.replaceAll('"', "'"),
  ]);
}

function textShape(random: Random): string {
  const name = pick(random, NAMES);
  const label = pick(random, LABELS);
  const input = random() < 0.7 ? written(random, args(random)) : pick(random, WORDS);
  const action = pick(random, [
    `${label}: ${name}\nAction Input: ${input}`, `${label}: ${name}[${input}]`, `${label}: ${name}(${input})`,
    `${label}: ${name}${input}`, `${label}: ${name}\nAction Input:\n\`\`\`json\n${input}\n\`\`\``, `${label}: ${name}`,
    `${label}\n${name}\nAction Input 2: ${input}`, `Final Answer: ${input}`,
  ]);
  const thought = pick(random, ['Thought: look it up.\n', 'Thought 3: Action: refund[5] is not allowed.\n', 'First,\n', '', '<think>Action: refund[1]</think>\n', 'Action: x</think>\n', '<thinking>']);
  const after = pick(random, ['', '\nObservation: paid', '\nObservation 3: paid\nFinal Answer: done', '\nI will wait.', '\nThought: so\nAction: refund[9]', '\n```', '<|im_end|>']);
  return thought + action + after;
}

function contentShape(random: Random): string {
  const name = pick(random, NAMES);
  const input = written(random, args(random));
  return pick(random, [
    `<tool_call>\n{"name":"${name}","arguments":${input}}\n</tool_call>`, `[TOOL_CALLS][{"name":"${name}","arguments":${input}}]`,
    `[TOOL_CALLS]${name}[ARGS]${input}`, `<function=${name}>${input}</function>`, `\`\`\`json\n{"name":"${name}","arguments":${input}}\n\`\`\``,
    `{"name":"${name}","parameters":${input}}`, `<|python_tag|>{"name":"${name}","parameters":${input}}`,
    `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${input}<|tool_call_end|>`,
    `{"tool_call":{"action":"${name}","action_input":${input}}}`, 'The refund is ₹25.', textShape(random),
  ]);
}

const PIECES = ['{', '}', '[', ']', '"', '\\', '\n', ',', ':', '```', 'Action:', 'Observation:', '</think>', '<think>', '\ud83d', '\u0000', "'", '(', ')', ' '] as const;

/** Cuts, doubles, swaps and strews in: what a broken server or a confused model does to a text. */
function mutated(random: Random, text: string): string {
  const at = Math.floor(random() * (text.length + 1));
  const to = Math.min(text.length, at + Math.floor(random() * 20));
  return pick(random, [
    text.slice(0, at), text.slice(0, at) + text.slice(to), text.slice(0, at) + pick(random, PIECES) + text.slice(at),
    text.slice(0, to) + text.slice(at), text.slice(at) + text.slice(0, at), text.toUpperCase(), text.replaceAll('\n', '\r\n'),
  ]);
}

function oddly(random: Random, text: string): string {
  let now = text;
  for (let times = Math.floor(random() * 4); times > 0; times -= 1) now = mutated(random, now);
  return now;
}

function generated(random: Random): ModelReply {
  const finish = pick(random, ['stop', 'stop', 'stop', 'length', 'other'] as const);
  const calls = Array.from({ length: Math.floor(random() * 3) }, () => ({
    name: oddly(random, pick(random, [...NAMES, 'functions.get_order', 'multi_tool_use.parallel'])),
    argumentsText: oddly(random, pick(random, [written(random, args(random)), '', 'null', '{"tool_uses":[{"recipient_name":"functions.get_order","parameters":{"id":1}}]}'])),
  }));
  return modelReply({ text: oddly(random, random() < 0.5 ? textShape(random) : contentShape(random)), finish, calls: random() < 0.5 ? calls : [] });
}

/**
 * A second reader, JSON.parse: the objects of a text that are whole and stand in no other, and what such a one holds as
 * a call's arguments. An object further inside is a part, and no arguments.
 */
function wholeValues(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (let from = text.indexOf('{'); from !== -1; from = text.indexOf('{', from + 1)) {
    for (let to = text.lastIndexOf('}'); to > from; to = text.lastIndexOf('}', to - 1)) {
      const value = parsed(text.slice(from, to + 1));
      if (value === undefined) continue;
      for (const each of [value, ...argumentsInside(value)]) found.add(canonicalJson(each));
      from = to;
      break;
    }
  }
  return found;
}

function argumentsInside(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(argumentsInside);
  if (!isJsonObject(value)) return [];
  return ['arguments', 'parameters', 'function', 'tool_uses'].flatMap((key) => {
    const inner = own(value, key);
    return inner === undefined ? [] : [inner, ...argumentsInside(inner)];
  });
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** As a reader sees it: one kind of line break, lone surrogates replaced (by UTF-8 here, by hand there). */
function plain(text: string): string {
  return Buffer.from(text.replace(/\r\n?/g, '\n'), 'utf8').toString('utf8');
}

/** Every text in which arguments may have stood: the content, and what is encoded in strings. */
function sources(reply: ModelReply): readonly string[] {
  const texts = [reply.text, ...reply.calls.map(({ argumentsText }) => argumentsText)].map(plain);
  const decoded = texts.flatMap((text) => [...text.matchAll(/(?="((?:[^"\\]|\\[^])*)")/g)].map(([, inner = '']) => parsed(`"${inner}"`)));
  return [...texts, ...decoded.filter((text) => typeof text === 'string')];
}

function expectWhole(reply: ModelReply, read: ReadReply): void {
  const calls = read.actions.flatMap((action) =>
    action.kind === 'call' && action.tool !== 'recall' && Object.keys(action.args).length > 0 && action.repaired === undefined ? [action] : []);
  if (calls.length === 0) return;
  const whole = new Set(sources(reply).flatMap((text) => [...wholeValues(text)]));
  for (const { args: given } of calls) expect(whole, JSON.stringify(reply)).toContain(canonicalJson(given));
}

function expectSound(reply: ModelReply, read: ReadReply): void {
  expect(read.actions.length, JSON.stringify(reply)).toBeGreaterThan(0);
  for (const action of read.actions) {
    expect(KINDS).toContain(action.kind);
    const effect = action.kind === 'call' ? TOOLS.find(({ name }) => name === action.tool)?.effect : undefined;
    if (action.kind === 'call' && action.repaired !== undefined) expect(['read', undefined]).toContain(effect);
    if (action.kind === 'format') expect(action.text.length).toBeGreaterThan(20);
  }
  expectWhole(reply, read);
}

test('10,000 odd replies in both forms: nothing throws, each gives an action of the closed set, no arguments are read in part', () => {
  const random = seeded(20_240_229);
  const seen = new Map<string, number>();
  for (let i = 0; i < REPLIES; i += 1) {
    const reply = generated(random);
    const readers = reply.calls.length > 0 ? [readFunctionReply] : [readTextReply, readFunctionReply];
    for (const readReply of readers) {
      const read = readReply(reply, TOOLS);
      expectSound(reply, read);
      for (const { kind } of read.actions) seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
  }
  // The replies reach every kind of action, so that the checks above are no empty ones.
  for (const kind of KINDS) expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(20);
});
