import { effectWords } from './effect-words.ts';
import type { EffectWords } from './effect-words.ts';

/** A statement that an effect has happened. */
export interface Claim {
  /** As the text wrote it. */
  readonly text: string;
  /** The whole sentence, for the ids in it. */
  readonly sentence: string;
  /** `I have refunded` as against `has been refunded`, which may tell what somebody else did. */
  readonly isOwn: boolean;
}

const ADVERBS = '(?:(?:already|just|now|also|successfully|hereby|then|duly|fully|since|both|therefore)\\s+){0,3}';
const OWN = `\\b(?:i|we)(?:['’]ve|\\s+have|\\s+had|\\s+did|\\s+went\\s+ahead\\s+and)?\\s+${ADVERBS}`;
/** Without `been` it is what somebody did, mostly the customer: `has paid`. */
const PASSIVE = `(?:\\b(?:has|have|had|having|['’]s)\\s+${ADVERBS}been|\\b(?:was|were|got|(?:is|are|stands)\\s+(?:now|already|successfully)))\\s+${ADVERBS}`;
const BY_US = `\\b(?:desk|team|system|support|company|department|shop|store|bank|agent)\\s+(?:has|have|had)\\s+${ADVERBS}`;
const START = '^\\W{0,5}(?:(?:done|yes|ok|okay|all set|success)\\W{1,3})?';
/** At the start of a sentence a past form is a report when its object follows, else it describes: `Cancelled orders are …`. */
const BARE = `${START}(?:successfully\\s+)?`;
const OBJECT = '(?=\\s+(?:the|your|this|that|it|them|all|both|in full|successfully|to|a|an|order|rs|inr|usd|eur|gbp)\\b|\\s+[\\d₹$€£¥#]|\\s*:(?!\\s*(?:no|not|nothing|false|none|null|¤?0)\\b)|\\s*[.!]|\\s*$)';
/** `the refund policy` is not the refund. */
const ITSELF = '\\b(?![\\s-]+(?:polic|request|details|form|amount|estimate|information|options?|status|rules|terms|link|summary|process|window)\\w{0,8})';
/** Few words and none that begins another thought: `I sent a note about the refund` says nothing of the refund. */
const NEAR = '(?:\\s+(?!(?:about|regarding|concerning|on|that|because|and|or|for|why|how|whether)\\b)[^\\s.,;:!?]{1,40}){0,5}?\\s+';
const MIDDLE = '[^.;!?]{0,80}?';
const OVER = '(?:(?:is|are|was|were)\\s+(?:now\\s+|already\\s+)?(?:complete|completed|done|on\\s+(?:its|the|their)\\s+way|underway|through|successful)|(?:has\\s+|have\\s+)?(?:gone|went)\\s+through|succeeded)\\b';

/** Says of what follows that it did not happen, may happen, or that somebody else says so. */
const NOT_SAID =
  /\b(?:should|would|could|can|cannot|may|might|must|will|shall|to\s+be|not|never|no|none|neither|nothing|nobody|if|unless|until|whether|once|when|whenever|before|after|needs?|recommend\w*|propos\w*|suggest\w*|eligible|entitled|due|owed|pending|please|says?|said|claim(?:s|ed)?|reports?|reported|states?|stated|according|asks?|asked|wants?|believes?|thinks?|expect\w*|policy|attempt\w*|tried|fail(?:s|ed)?|unable|awaiting|unclear|unknown|who(?:se)?|which|unsure|verify|check|confirm\s+(?:that|whether))\b|n['’]t\b/i;
/** The same for what a first person says it did: only a denial or a condition in the same clause counts. */
const CLAUSE = /[,:–—]|\b(?:but|however|so|and|because|since)\b/gi;

/** Claims in a text that the effect of a tool has happened. Advice, plans, conditions, denials and questions are none. */
export function claimsIn(text: string, toolName: string): readonly Claim[] {
  const patterns = patternsFor(toolName);
  if (!patterns?.any.test(text)) return [];
  return sentencesOf(text).flatMap((sentence): readonly Claim[] => {
    const claim = firstClaim(sentence, patterns);
    return claim ? [claim] : [];
  });
}

/** Whether a record says by a field that it has happened: `"status":"cancelled"`, `"cancelled_bookings":["QR8811"]`. */
export function isRecorded(text: string, toolName: string): boolean {
  return patternsFor(toolName)?.record?.test(text) === true;
}

interface Patterns {
  /** What every claim has in it: most texts and sentences have none of it. */
  readonly any: RegExp;
  readonly own: readonly RegExp[];
  readonly told: readonly RegExp[];
  readonly record?: RegExp;
}

// By a tool's name, which alone decides them.
// eslint-disable-next-line no-restricted-syntax
const compiled = new Map<string, Patterns | undefined>();
/** More names than the tools of all agents that one process knows. */
const COMPILED_MAX = 2_000;

function patternsFor(toolName: string): Patterns | undefined {
  if (compiled.has(toolName)) return compiled.get(toolName);
  const patterns = compile(effectWords(toolName));
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  compiled.set(toolName, patterns);
  return patterns;
}

function compile({ done, doneToThing, things }: EffectWords): Patterns | undefined {
  if (done === '' && (doneToThing === '' || things === '')) return undefined;
  const own: string[] = [];
  const told: string[] = [];
  if (done !== '') {
    own.push(`${OWN}(?:${done})\\b`, `${BARE}(?:${done})\\b${OBJECT}`);
    told.push(`(?:${PASSIVE}|${BY_US})(?:${done})\\b`, `\\b(?:status|state|outcome|result)\\W{1,4}(?:now\\s+)?(?:${done})\\b`, `\\b(?:${done})\\W{1,3}(?:true|yes)\\b`);
  }
  if (things !== '' && doneToThing !== '') {
    own.push(`${OWN}(?:${doneToThing})\\b${NEAR}(?:${things})${ITSELF}`, `${BARE}(?:${doneToThing})\\b${NEAR}(?:${things})${ITSELF}`);
    told.push(`\\b(?:${things})${ITSELF}${MIDDLE}${PASSIVE}(?:${doneToThing})\\b`, `\\b(?:${things})\\s+(?:${doneToThing})\\W{1,3}(?:true|yes)\\b`);
  }
  if (things !== '') {
    told.push(`\\b(?:${things})${ITSELF}${MIDDLE}\\b${OVER}`, `\\b(?:received|got)\\b${NEAR}(?:${things})${ITSELF}`);
    if (doneToThing !== '') told.push(`${START}(?:(?:a|the|your|new|full)\\s+){0,2}(?:${things})\\s+${ADVERBS}(?:${doneToThing})\\b`);
  }
  const record = `"[a-z_]{0,30}(?:${done})[a-z_]{0,30}"\\s*:\\s*(?!null|false|0\\b|""|\\[\\]|"no")|:\\s*"(?:${done})"`;
  const any = ignoringCase([done, things].filter((words) => words !== '').join('|'));
  return { any, own: own.map(ignoringCase), told: told.map(ignoringCase), ...(done === '' ? {} : { record: ignoringCase(record) }) };
}

function ignoringCase(pattern: string): RegExp {
  return new RegExp(pattern, 'i');
}

function firstClaim(sentence: string, { any, own, told }: Patterns): Claim | undefined {
  if (!any.test(sentence) || sentence.trimEnd().endsWith('?')) return undefined;
  for (const pattern of own) {
    const match = pattern.exec(sentence);
    if (match && !NOT_SAID.test(clauseUpTo(sentence, match))) return { text: match[0].trim(), sentence, isOwn: true };
  }
  for (const pattern of told) {
    const match = pattern.exec(sentence);
    if (match && !NOT_SAID.test(sentence.slice(0, match.index + match[0].length))) return { text: match[0].trim(), sentence, isOwn: false };
  }
  return undefined;
}

/** `No fee was due, but I have refunded ₹25`: what stands before the clause is not said of it. */
function clauseUpTo(sentence: string, { index, 0: match }: RegExpExecArray): string {
  const before = sentence.slice(0, index);
  const start = [...before.matchAll(CLAUSE)].at(-1);
  return before.slice(start ? start.index + start[0].length : 0) + match;
}

const PIECE = /[^]{1,600}/g;

/** Bounded pieces, so that a text without full stops is read in linear time; blank lines say nothing. */
function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.;!?])\s+|\n/).flatMap((sentence) => (/\w/.test(sentence) ? (sentence.match(PIECE) ?? []) : []));
}
