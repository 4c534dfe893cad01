import type { ToolFacts } from './agent.ts';
import { evidenceOf } from './evidence.ts';
import { canonicalJson, utf8Bytes } from './json.ts';
import { currentPromptBytes } from './prompt.ts';
import { seenWords } from './seen-words.ts';
import { append, nextNumber } from './state.ts';
import type { RunState } from './state.ts';
import type { Item, ReplyItem, SummaryItem } from './transcript.ts';

/** Turns whose observations stay whole when older ones are elided, and that stay as they are under a summary. */
const RECENT_TURNS = 4;
/** A step must shorten at least this many observations: one at a time would break the provider's cache every turn. */
const LEAST_ELIDED = 4;
/** Of agents that were pinned before a summary had a length of its own. */
const OLD_SUMMARY_CHARS = 8_000;
/** A step must bring the prompt below this part of its mark: the next one would come, and break the cache, after few turns. */
const LARGE_STEP = 0.6;
/** A summary must stand for at least this many turns more than the one before, however long the turns are. */
const LEAST_SUMMARISED = 4;
const SUMMARY_LINE_CHARS = 160;
const SUMMARY_WORDS = 4_000;

/**
 * Adds a mark when the last prompt passed one of the agent's marks: the oldest observations are elided in one large step,
 * or, where that is not large enough, older turns are summarised. Marks never rewrite an item; the model can bring the rest with `recall`.
 */
export function withMarks(state: RunState, nowMs: number): RunState {
  const { elideAboveTokens, summariseAboveTokens, summaryChars } = state.agent.context;
  if (!isOver(state, elideAboveTokens)) return state;
  const elided = elide(state, nowMs);
  const isLarge = summaryChars === undefined || isLargeStep(elided);
  if ((elided !== state && isLarge) || !isOver(state, summariseAboveTokens)) return elided;
  // A small step so soon would break the cache every turn, and free little.
  if (summaryChars !== undefined && turnsSinceSummary(state) < LEAST_SUMMARISED) return state;
  const summarised = summarise(state, nowMs);
  return summarised === state ? elided : summarised;
}

function turnsSinceSummary(state: RunState): number {
  const [from, before] = [lastMark(state.items, 'summary'), firstOfRecentTurns(state)];
  return state.items.filter((item, i) => item.type === 'reply' && within(state.first + i, from, before)).length;
}

function isOver(state: RunState, mark: number): boolean {
  const { conversationBytes } = state.agent.context;
  return conversationBytes === undefined ? state.measure.lastInputTokens > mark : bytesOfConversation(state) > conversationBytes;
}

function isLargeStep(state: RunState): boolean {
  const { agent: { context: { conversationBytes, elideAboveTokens } }, measure } = state;
  if (conversationBytes === undefined) return measure.bytes * measure.tokensPerByte <= elideAboveTokens * LARGE_STEP;
  return bytesOfConversation(state) <= conversationBytes * LARGE_STEP;
}

/** Without the agent's own part and the task, which no step shortens. */
function bytesOfConversation({ agent, goal, measure }: RunState): number {
  return measure.bytes - agent.promptBytes - utf8Bytes(goal);
}

function elide(state: RunState, nowMs: number): RunState {
  const before = firstOfRecentTurns(state);
  const from = Math.max(lastMark(state.items, 'elided'), lastMark(state.items, 'summary'));
  const older = state.items.filter((item, i) => item.type === 'observation' && within(state.first + i, from, before));
  if (older.length < LEAST_ELIDED) return state;
  return remeasured(append(state, nowMs, { type: 'elided', before }));
}

/** Everything before the newest turns becomes one text, made by code: it cannot invent, and it cannot fail. */
export function summarise(state: RunState, nowMs: number, before = firstOfRecentTurns(state)): RunState {
  if (before <= Math.max(state.first, lastMark(state.items, 'summary'))) return state;
  const older = state.items.slice(0, before - state.first);
  const { goal, constraints, todo } = state;
  const mark: SummaryItem = {
    type: 'summary', before, goal, constraints, todo, text: summaryText(older, state.agent.context.summaryChars ?? OLD_SUMMARY_CHARS), done: doneTools(state),
  };
  return remeasured(append(state, nowMs, mark));
}

function doneTools({ effects }: RunState): readonly string[] {
  return [...new Set(effects.filter(({ status }) => status === 'ok').map(({ tool }) => tool))];
}

function remeasured(state: RunState): RunState {
  const bytes = state.agent.promptBytes + currentPromptBytes(state.items, state.first);
  return { ...state, measure: { ...state.measure, bytes, lastInputTokens: 0 } };
}

function within(number: number, from: number, before: number): boolean {
  return number >= from && number < before;
}

/** Number of the reply with which the newest turns begin. */
function firstOfRecentTurns({ items, first }: RunState): number {
  const replies = items.flatMap((item, i) => (item.type === 'reply' ? [first + i] : []));
  return replies.at(-RECENT_TURNS) ?? first;
}

function lastMark(items: readonly Item[], type: 'elided' | 'summary'): number {
  const mark = items.findLast((item) => item.type === type);
  return mark && 'before' in mark ? mark.before : 0;
}

function summaryText(items: readonly Item[], chars: number): string {
  const earlier = items.find((item) => item.type === 'summary');
  const lines = items.flatMap((item) => summaryLines(item, items));
  const all = [...(earlier?.type === 'summary' ? earlier.text.split('\n') : []), ...lines];
  return newestWithin(all, chars).join('\n');
}

function summaryLines(item: Item, items: readonly Item[]): readonly string[] {
  if (item.type === 'person' && item.refused === undefined) return [`${item.verb} by ${item.by.name}: ${oneLine(item.text)}`];
  if (item.type !== 'reply') return [];
  return callLines(item, items);
}

function callLines({ actions }: ReplyItem, items: readonly Item[]): readonly string[] {
  return actions.flatMap((action) => {
    if (action.kind !== 'call') return [];
    const result = items.find((item) => item.type === 'observation' && item.call === action.id);
    if (result?.type !== 'observation') return [];
    return [`[${action.id}] ${action.tool} ${oneLine(canonicalJson(action.args)).replaceAll('→', '->')} → ${result.status}: ${oneLine(result.text)}`];
  });
}

function newestWithin(lines: readonly string[], chars: number): readonly string[] {
  let room = chars;
  let from = lines.length;
  while (from > 0 && room >= (lines[from - 1]?.length ?? 0)) {
    from -= 1;
    room -= lines[from]?.length ?? 0;
  }
  return from === 0 ? lines : [`(${from} earlier lines left out)`, ...lines.slice(from)];
}

function oneLine(text: string): string {
  const flat = text.slice(0, SUMMARY_LINE_CHARS * 2).replace(/\s+/g, ' ').trim();
  return flat.length <= SUMMARY_LINE_CHARS ? flat : `${flat.slice(0, SUMMARY_LINE_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Evidence outlives the text that carried it: ids and numbers of what the world and persons said. */
function summaryWords(items: readonly Item[], tools: readonly ToolFacts[]): readonly string[] {
  return [...evidenceOf(items, tools).words].slice(-SUMMARY_WORDS);
}

/** Bytes that may be carried over continue-as-new: far below Temporal's 2 MiB, whatever else rides along. */
export const MAX_CARRIED_BYTES = 512 * 1024;

/**
 * The state for the next execution: items that a summary stands for are left behind (the archive has them), and when
 * that is not enough a summary is made for this purpose.
 */
export function carried(state: RunState, nowMs: number): RunState {
  const light = lightened(state, nowMs);
  // What is left behind cannot be sent any more: the summary that stands for it is.
  return { ...light, sent: Math.max(light.sent, light.first) };
}

function lightened(state: RunState, nowMs: number): RunState {
  const light = dropSummarised(state);
  if (bytesOf(light) <= MAX_CARRIED_BYTES) return light;
  const lighter = dropSummarised(summarise(light, nowMs));
  if (bytesOf(lighter) <= MAX_CARRIED_BYTES) return lighter;
  return KEPT_ITEMS.reduce((now, kept) => (bytesOf(now) <= MAX_CARRIED_BYTES ? now : lightest(lighter, nowMs, kept)), lighter);
}

/** Newest items that are kept when even the newest turns are too large: fewer until what is left fits. */
const KEPT_ITEMS = [40, 20, 8, 2, 0];

function lightest(state: RunState, nowMs: number, kept: number): RunState {
  const short = dropSummarised(summarise(state, nowMs, Math.min(nextNumber(state) - kept, openReplyNumber(state))));
  return {
    ...short,
    items: short.items.map(shortened),
    effects: short.effects.map((effect) => ({ ...effect, text: effect.text.slice(0, 200) })),
  };
}

/** The reply of a turn that is still open says which calls wait: it stays. */
function openReplyNumber(state: RunState): number {
  const at = state.items.findLastIndex(({ type }) => type === 'reply');
  return state.open && at !== -1 ? state.first + at : nextNumber(state);
}

function bytesOf(state: RunState): number {
  return utf8Bytes(JSON.stringify(state));
}

/** Only now does the summary need the words of what it stands for. */
function dropSummarised(state: RunState): RunState {
  const summary = state.items.findLast((item) => item.type === 'summary');
  if (!summary || summary.before <= state.first) return state;
  const { before } = summary;
  const seen = summaryWords(state.items.slice(0, before - state.first), state.agent.tools);
  const left = state.items.slice(before - state.first);
  return { ...state, first: before, items: left.map((item) => (item === summary ? { ...summary, seen } : item)) };
}

/** Words of one observation that are kept when room is short. */
const SHORT_SEEN = 40;

/** Ends a text of which only the beginning was carried. */
export const SHORTENED = '… [cut]';

/** Last resort for a run whose newest turns alone are too large: long texts keep their beginning. */
function shortened(item: Item): Item {
  if (item.type === 'person') return { ...item, text: head(item.text) };
  if (item.type === 'observation') return { ...item, text: head(item.text), seen: [...item.seen, ...seenWords(item.text)].slice(0, SHORT_SEEN) };
  if (item.type === 'reply' && item.thought !== undefined) return { ...item, thought: head(item.thought) };
  return item;
}

function head(text: string): string {
  return text.length <= 2_000 ? text : `${text.slice(0, 2_000).replace(/[\ud800-\udbff]$/, '')}${SHORTENED}`;
}
