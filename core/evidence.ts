import { canonicalJson } from './json.ts';
import type { ToolFacts } from './agent.ts';
import { ASKED_NOTHING, askedWith, isEcho } from './echo.ts';
import type { Asked } from './echo.ts';
import { BUILT_IN } from './names.ts';
import { phrase } from './phrase.ts';
import { idWords, seenWords } from './seen-words.ts';
import type { Action, Item, ObservationItem, SummaryItem } from './transcript.ts';

/**
 * What a run may speak of: the words of its task, of what tools found and of what persons said. The model's own words
 * are never evidence, nor is what was answered to them (a refused call repeats the id that was made up). The sets grow with
 * the run: what is to be kept is copied.
 */
export interface Evidence {
  /** Id-like words and numbers, in the spelling of `seenWords`. */
  readonly words: ReadonlySet<string>;
  /** Those of them that stand in a result of a tool. */
  readonly found: ReadonlySet<string>;
  /** Words that a result gave back to the call that brought them up, and that stand nowhere else: no evidence. */
  readonly echoed: ReadonlySet<string>;
  /** The texts themselves as plain phrases, for names that are no id-like words (`kim`). */
  readonly texts: readonly EvidenceText[];
}

interface EvidenceText {
  readonly text: string;
  /** Phrases that its own call asked with: giving them back is no evidence of them. */
  readonly asked: readonly string[];
}

/**
 * The evidence of a transcript:
 * - the task, and what persons said, unless it was refused;
 * - results of tools (`ok`), the whole of them where the text was cut; but of a read not what it only gives back to the
 *   call that brought it up, unless the tool says that its results confirm their arguments;
 * - of calls that failed, found nothing or are in doubt only what the world added to the call's own words: their texts
 *   mostly give the arguments back;
 * - what a summary kept of all these.
 */
export function evidenceOf(items: readonly Item[], tools: readonly ToolFacts[]): Evidence {
  // Read by whoever asks for a word of it: many a call names no id, and a long run has thousands.
  const reading = () => readingOf(items, tools);
  return {
    get words() { return reading().words; },
    get found() { return reading().found; },
    get echoed() {
      const { words, echoed } = reading();
      return new Set([...echoed].filter((word) => !words.has(word)));
    },
    get texts() { return reading().texts; },
  };
}

/** The evidence of `count` items, of which `first` is the first one; it grows as they do. */
interface Reading {
  readonly first: Item | undefined;
  count: number;
  readonly tools: readonly ToolFacts[];
  readonly calls: Map<string, KnownCall>;
  readonly words: Set<string>;
  readonly found: Set<string>;
  readonly echoed: Set<string>;
  readonly texts: EvidenceText[];
}

/** By the item that was read last. */
const readings = new WeakMap<Item, Reading>();

/** Items never change and come to the end only, so a late turn reads what is new, as an early one does. */
function readingOf(items: readonly Item[], tools: readonly ToolFacts[]): Reading {
  const reading = earlierReading(items, tools) ?? {
    first: items[0], count: 0, tools, calls: new Map(), words: new Set(), found: new Set(), echoed: new Set(), texts: [],
  };
  for (; reading.count < items.length; reading.count += 1) {
    const item = items[reading.count];
    if (!item) continue;
    take(item, reading);
  }
  const last = items.at(-1);
  if (last) readings.set(last, reading);
  return reading;
}

/** One that ended within these items. A retried turn, or a check beside it, may have taken it further: then all is read anew. */
function earlierReading(items: readonly Item[], tools: readonly ToolFacts[]): Reading | undefined {
  for (let count = items.length; count > 0; count -= 1) {
    const last = items[count - 1];
    const reading = last && readings.get(last);
    if (reading?.count === count && reading.first === items[0] && reading.tools === tools) return reading;
  }
  return undefined;
}

function take(item: Item, { tools, calls, words, found, echoed, texts }: Reading): void {
  if (item.type === 'reply') for (const action of item.actions) calls.set(action.id, { action, isOk: false, asked: unprovenOf(action, tools) });
  const { words: own, text, isFound, asked } = item.type === 'observation' ? observed(item, calls) : wordsOf(item);
  const echoes = new Set(asked ? own.filter((word) => isEcho(word, asked, (name) => words.has(name))) : []);
  for (const word of echoes) echoed.add(word);
  for (const word of own) {
    if (echoes.has(word)) continue;
    words.add(word);
    if (isFound) found.add(word);
  }
  if (text !== '') texts.push({ text, asked: asked?.phrases ?? [] });
  const call = item.type === 'observation' && item.status === 'ok' ? calls.get(item.call) : undefined;
  if (call) call.isOk = true;
}

function holds({ text, asked }: EvidenceText, name: string): boolean {
  return text.includes(name) && !asked.includes(name);
}

interface Part {
  readonly words: readonly string[];
  readonly text: string;
  readonly isFound: boolean;
  /** What the call asked with, where giving it back proves nothing. */
  readonly asked?: Asked;
}

const NOTHING: Part = { words: [], text: '', isFound: false };

/** An item never changes, so its words are read once, however many turns ask for them. */
const known = new WeakMap<Item, Part>();

function wordsOf(item: Item): Part {
  const before = known.get(item);
  if (before) return before;
  const part = readWords(item);
  known.set(item, part);
  return part;
}

function readWords(item: Item): Part {
  switch (item.type) {
    case 'task': return spoken([item.goal, ...item.constraints]);
    case 'person': return item.refused === undefined ? spoken([item.text, item.goal ?? '', ...(item.constraints ?? []), ...(item.args ? [canonicalJson(item.args)] : [])]) : NOTHING;
    case 'observation': return { words: [...seenWords(item.text), ...item.seen], text: phrase(item.text), isFound: true };
    case 'summary': return { words: [...(item.seen ?? []), ...spoken([item.goal, ...item.constraints]).words], text: phrase(resultsIn(item)), isFound: false };
    default: return NOTHING;
  }
}

function spoken(texts: readonly string[]): Part {
  const text = texts.join('\n');
  return { words: seenWords(text), text: phrase(text), isFound: false };
}

/** Of a summary's lines on calls only what came back; their arguments are the model's words. */
function resultsIn({ text }: SummaryItem): string {
  return text
    .split('\n')
    .map((line) => {
      const result = line.indexOf(' → ok: ');
      return line.startsWith('[') ? (result === -1 ? '' : line.slice(result + 7)) : line;
    })
    .join('\n');
}

interface KnownCall {
  readonly action: Action;
  /** It has a result that is `ok`. */
  isOk: boolean;
  readonly asked: Asked;
}

/**
 * What giving back proves nothing of. An effect that succeeded has happened with its arguments: an answer must be able
 * to say what was done.
 */
function unprovenOf(action: Action, tools: readonly ToolFacts[]): Asked {
  if (action.kind !== 'call') return ASKED_NOTHING;
  const facts = tools.find(({ name }) => name === action.tool);
  const isProof = facts !== undefined && (facts.effect !== 'read' || facts.confirmsArguments === true);
  return isProof ? ASKED_NOTHING : askedWith(action.args);
}

function observed(item: ObservationItem, calls: ReadonlyMap<string, KnownCall>): Part {
  const call = calls.get(item.call);
  if (item.tool === BUILT_IN.recall) return recalled(item, call?.action, calls);
  switch (item.status) {
    // What a person answered in the tool's place is theirs.
    case 'ok': return call && item.by === undefined ? { ...wordsOf(item), asked: call.asked } : wordsOf(item);
    case 'empty':
    case 'error':
    case 'unknown': return { words: addedWords(item, call?.action), text: '', isFound: false };
    case 'denied':
    case 'skipped': return NOTHING;
  }
}

/** A text that is brought back is what it was before: that of a call that found nothing is still no evidence. */
function recalled(item: ObservationItem, action: Action | undefined, calls: ReadonlyMap<string, KnownCall>): Part {
  const id = action?.kind === 'call' ? action.args.id : undefined;
  const call = typeof id === 'string' ? calls.get(id) : undefined;
  // A recall of a recall, or of a call that is not known any more, could bring back what was never found.
  const isGood = item.status === 'ok' && call?.isOk === true && !(call.action.kind === 'call' && call.action.tool === BUILT_IN.recall);
  return isGood ? { ...wordsOf(item), asked: call.asked } : NOTHING;
}

function addedWords({ seen }: ObservationItem, action: Action | undefined): readonly string[] {
  if (seen.length === 0 || action?.kind !== 'call') return seen;
  const asked = new Set(seenWords(JSON.stringify(action.args)));
  return seen.filter((word) => !asked.has(word));
}

/** Shorter ones (`12`, `A1`) stand in every text; on their own they do not show that a name of several words was seen. */
const TELLING_CHARS = 4;

/**
 * Whether an id was seen, whatever its case and the signs around it. A name of several words, or without a digit, must
 * stand in a text as it is, unless one of its words is an id of its own (`order 88213`).
 */
export function hasId({ words, texts }: Evidence, value: string): boolean {
  const own = idWords(value);
  const wanted = phrase(value);
  if (value.trim() === '') return true;
  const isSeen = own.length > 0 && own.every((word) => words.has(word));
  const isName = own.length === 0 || (/\s/.test(value.trim()) && !own.some((word) => word.length >= TELLING_CHARS));
  if (isSeen && !isName) return true;
  return isName && wanted !== '' && texts.some((one) => holds(one, wanted));
}

/** Whether a number stands in the evidence, by value: 25 and 25.00 are one. */
export function hasAmount({ words }: Evidence, amount: string): boolean {
  const own = idWords(amount);
  return own.length > 0 && own.every((word) => words.has(word));
}
