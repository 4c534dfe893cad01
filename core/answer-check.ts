import type { ToolFacts } from './agent.ts';
import { amountsIn, isZero } from './amounts.ts';
import type { Amount } from './amounts.ts';
import { answerText } from './answer-text.ts';
import { claimsIn, isRecorded } from './claims.ts';
import type { Claim } from './claims.ts';
import { cutText } from './data-text.ts';
import { hasAmount, hasId } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import { idsIn } from './ids-in-text.ts';
import type { JsonObject } from './json.ts';
import { callsIn, soughtInVain, textsIn } from './look-ups.ts';
import { saysNotFound } from './not-found.ts';
import { idWords, seenWords } from './seen-words.ts';
import type { AnswerProblem, Item } from './transcript.ts';

export interface AnswerContext {
  readonly evidence: Evidence;
  readonly tools: readonly ToolFacts[];
  readonly items: readonly Item[];
  /** Words of the agent's author: an answer may repeat them (an address to write to), a call may not take ids from them. */
  readonly instructions?: string;
}

/** What is named is enough to put an answer right; more would only bury it. */
const PROBLEMS_MAX = 12;
const VALUE_CHARS = 100;

/** What an answer says that the run does not carry: ids and amounts not in evidence, effects without a call that did them. */
export function answerProblems(answer: string | JsonObject, context: AnswerContext): readonly AnswerProblem[] {
  const text = answerText(answer);
  const { instructions } = context;
  const said = instructions ? { ...context, evidence: withWords(context.evidence, instructions) } : context;
  const problems = [...idProblems(text, said), ...amountProblems(text, said.evidence), ...effectProblems(text, context)];
  return unique(problems).slice(0, PROBLEMS_MAX);
}

function withWords(evidence: Evidence, text: string): Evidence {
  return { ...evidence, words: new Set([...evidence.words, ...seenWords(text)]) };
}

function idProblems(text: string, { evidence, tools, items }: AnswerContext): readonly AnswerProblem[] {
  const named = idsIn(text);
  if (named.length === 0) return [];
  const vain = soughtInVain(items, tools, evidence);
  const isVain = (id: string) => idWords(id).some((word) => vain.has(word));
  const told = new Set(named.filter(({ id, index }) => isVain(id) && saysNotFound(text, index)).map(({ id }) => id.toLowerCase()));
  return named.flatMap(({ id }): AnswerProblem[] => {
    if (isVain(id)) return told.has(id.toLowerCase()) ? [] : [{ kind: 'not_found', value: id }];
    return isKnownId(evidence, id) ? [] : [{ kind: 'id', value: id }];
  });
}

/** `order-88213` is a word and an id; `DE89 3704 …` may stand in the evidence without its blanks. */
function isKnownId(evidence: Evidence, id: string): boolean {
  if (hasId(evidence, id) || hasId(evidence, id.replaceAll(' ', ''))) return true;
  const [, number] = /^[A-Za-z]?[a-z]{2,20}[-_/.](\d{3,})$/.exec(id) ?? [];
  return number !== undefined && hasId(evidence, number);
}

function amountProblems(text: string, evidence: Evidence): readonly AnswerProblem[] {
  const unknown = amountsIn(text).filter((amount) => !isZero(amount) && !isKnownAmount(evidence, amount));
  return unknown.map(({ written }) => ({ kind: 'amount', value: written.replace('¤', '') }));
}

/** How far a rough amount may be from the exact one. */
const ROUGH = 0.05;
/** Half of the smallest coin: what rounding to two decimals changes at most. */
const HALF_COIN = 0.005_000_1;

function isKnownAmount(evidence: Evidence, { values, isRough }: Amount): boolean {
  return values.some((value) => {
    if (hasAmount(evidence, value)) return true;
    const distance = isRough ? ROUGH * Number(value) : /\.\d\d$/.test(value) ? HALF_COIN : 0;
    return distance > 0 && isNear(evidence, Number(value), distance);
  });
}

function isNear({ words }: Evidence, value: number, distance: number): boolean {
  for (const word of words) {
    if (/^\d+(?:\.\d+)?$/.test(word) && Math.abs(Number(word) - value) <= distance) return true;
  }
  return false;
}

/** Of tools that the same words speak of (`pay_card`, `pay_cash`: "paid") any may have done it; what one of them failed at counts too. */
function effectProblems(text: string, context: AnswerContext): readonly AnswerProblem[] {
  const said = new Map<string, { readonly claim: Claim; readonly all: Outcomes[] }>();
  for (const { name } of context.tools.filter(({ effect }) => effect !== 'read')) {
    const claims = claimsIn(text, name);
    if (claims.length === 0) continue;
    const outcomes = outcomesOf(name, context);
    for (const claim of claims) {
      const key = `${claim.text}\n${claim.sentence}`;
      said.set(key, { claim, all: [...(said.get(key)?.all ?? []), outcomes] });
    }
  }
  return [...said.values()].filter(({ claim, all }) => !isBacked(claim, together(all))).map(({ claim }): AnswerProblem => ({ kind: 'effect', value: claim.text }));
}

function together(all: readonly Outcomes[]): Outcomes {
  return {
    hasSucceeded: all.some(({ hasSucceeded }) => hasSucceeded),
    done: new Set(all.flatMap(({ done }) => [...done])),
    notDone: new Set(all.flatMap(({ notDone }) => [...notDone])),
    reports: all.flatMap(({ reports }) => reports),
  };
}

interface Outcomes {
  readonly hasSucceeded: boolean;
  /** Ids that the tool was called with: where it succeeded, and where it did not. */
  readonly done: ReadonlySet<string>;
  readonly notDone: ReadonlySet<string>;
  /** Results and persons' words that say that it has happened, whoever did it. */
  readonly reports: readonly string[];
}

const EACH = /\b(?:both|all|each|every)\b/i;

/** A claim needs a call that did it; about an id whose own call failed, or about all of several, another's does not count. */
function isBacked({ isOwn, sentence }: Claim, { hasSucceeded, done, notDone, reports }: Outcomes): boolean {
  const named = idsIn(sentence).flatMap(({ id }) => idWords(id));
  if (!hasSucceeded) return !isOwn && reports.some((text) => named.length === 0 || isNamedIn(text, named));
  const failed = [...notDone].filter((word) => !done.has(word));
  if (failed.length > 0 && EACH.test(sentence)) return false;
  return !named.some((word) => failed.includes(word));
}

/** A record of one order says nothing of another. */
function isNamedIn(text: string, words: readonly string[]): boolean {
  const seen = new Set(seenWords(text));
  return words.some((word) => seen.has(word));
}

function outcomesOf(tool: string, { tools, items }: Pick<AnswerContext, 'tools' | 'items'>): Outcomes {
  const ok = new Set(items.flatMap((item) => (item.type === 'observation' && item.tool === tool && item.status === 'ok' ? [item.call] : [])));
  const calls = callsIn(items).filter((call) => call.tool === tool);
  const wordsOf = (isDone: boolean) => new Set(calls.filter(({ id }) => ok.has(id) === isDone).flatMap(({ args }) => textsIn(args).flatMap(idWords)));
  return {
    hasSucceeded: ok.size > 0 || items.some((item) => item.type === 'summary' && item.done?.includes(tool) === true),
    done: wordsOf(true),
    notDone: wordsOf(false),
    reports: items.flatMap((item) => (isOfTheWorld(item, tools) && says(item.text, tool) ? [item.text] : [])),
  };
}

function says(text: string, tool: string): boolean {
  return isRecorded(text, tool) || claimsIn(text, tool).length > 0;
}

/** A record (`"status":"cancelled"`) or a person may say that something was done; a task may only ask for it. */
function isOfTheWorld(item: Item, tools: readonly ToolFacts[]): item is Item & { readonly text: string } {
  if (item.type === 'person') return item.refused === undefined;
  if (item.type !== 'observation' || !tools.some(({ name }) => name === item.tool)) return false;
  return item.status === 'ok' || item.status === 'error' || item.status === 'empty';
}

function unique(problems: readonly AnswerProblem[]): readonly AnswerProblem[] {
  const seen = new Set<string>();
  return problems
    .map(({ kind, value }) => ({ kind, value: cutText(value.replace(/\s+/g, ' '), VALUE_CHARS) }))
    .filter(({ kind, value }) => {
      const key = `${kind} ${value}`;
      return !seen.has(key) && seen.add(key);
    });
}
