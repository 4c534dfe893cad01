import { elsewhereText } from '../client/elsewhere-text.ts';
import type { ApprovalEntry, InboxEntry } from '../client/inbox-entry.ts';
import { durationText } from '../core/duration.ts';
import type { HandOver, HeldView, QuestionForm } from '../core/run.ts';
import { command, commandText } from './command-name.ts';
import { isResumedAfter } from './ending-text.ts';
import { exactJson } from './exact-json.ts';
import { labelled, oneLine, plainText } from './plain-text.ts';
import type { TraceStyle } from './trace-style.ts';
import { shortMoney } from './words.ts';

const INDENT = 4;
/** Longer ones are shown whole by the command that decides them. */
const ARGS_CHARS = 600;
/** As many as nobody hits by chance, and few enough for one line. */
const HASH_CHARS = 12;

/** One thing that waits, with the command that answers it; as few lines as say what is asked. */
export function waitingText(entry: InboxEntry, style: TraceStyle, { nowMs, commands = true }: { readonly nowMs: number; readonly commands?: boolean }): readonly string[] {
  const { run, sinceMs, agent, requestedBy, kind } = entry;
  const about = [agent, requestedBy && `for ${requestedBy}`, `waits ${durationText(Math.max(0, nowMs - sinceMs))}`];
  const head = [`${KIND_WORDS[kind]}  ${run}${'call' in entry ? ` ${entry.call}` : ''}`, ...about.filter(Boolean)].join(' · ');
  const place = { width: style.width, indent: INDENT, nowMs };
  return [style.bold(oneLine(head, style.width)), ...bodyOf(entry, place), ...(commands ? commandLines(entry) : [])];
}

interface Place {
  readonly indent: number;
  readonly width: number;
  readonly nowMs: number;
}

const KIND_WORDS: Readonly<Record<InboxEntry['kind'], string>> = {
  approval: 'Approval', question: 'Question', outcome: 'In doubt', hand_over: 'Hand-over', taken_over: 'Taken over', paused: 'Paused',
};

function bodyOf(entry: InboxEntry, place: Place): readonly string[] {
  const said = (...texts: readonly string[]) => wrapped(texts, place);
  switch (entry.kind) {
    case 'approval': return heldBody(entry, place);
    case 'question': return said(entry.question.question, ...formBody(entry.question.form));
    case 'outcome': return [exact(`${entry.tool}${entry.args ? ` ${cut(exactJson(entry.args))}` : ''}`, place), ...said(entry.text)];
    case 'hand_over': return said(`${entry.queue ? `To ${entry.queue}: ` : ''}${entry.reason}`);
    case 'taken_over': return said(`${entry.heldBy?.name ?? 'Somebody'} holds it: no model is called until it is given back.`);
    case 'paused': return said('Nothing more is started until it is resumed.');
  }
}

function wrapped(texts: readonly string[], place: Place): readonly string[] {
  return texts.flatMap((text) => labelled('', plainText(text), place));
}

/** Arguments are never wrapped: a line break of ours would read as a part of them. */
function exact(text: string, { indent }: Place): string {
  return `${' '.repeat(indent)}${plainText(text)}`;
}

/** What would happen, its exact bytes, and whose decision it is. */
export function heldBody(held: HeldView, place: Place): readonly string[] {
  const { tool, summary, amount, args, original, why, checks, deadlineMs, orderedBy } = held;
  const leftMs = deadlineMs - place.nowMs;
  const said = (...texts: readonly string[]) => wrapped(texts, place);
  return [
    ...said(`${summary ?? tool}${amount ? ` (${shortMoney(amount)})` : ''}`),
    exact(`${tool} ${cut(exactJson(args))}`, place),
    ...(original ? [...said('changed by a person; the model had asked for'), exact(cut(exactJson(original)), place)] : []),
    ...said(`${why}${orderedBy ? `; ordered by ${orderedBy.name}` : ''}; ${leftMs > 0 ? `${durationText(leftMs)} left` : 'its time is over'}`, ...(checks?.elsewhere ? [elsewhereText(checks.elsewhere)] : []), ...whose(held)),
  ];
}

export function whose({ roles, fourEyes, excluded = [], provenOnly, fromRecord }: HeldView): readonly string[] {
  const rules = [
    ...(fromRecord ? ['who may decide it only the run knows, and no worker answers for it now'] : []),
    ...(roles.length > 0 ? [`needs the role ${roles.join(' or ')}`] : []),
    ...(fourEyes ? [`needs four eyes${excluded.length > 0 ? `: not ${excluded.join(', ')}` : ''}`] : []),
    ...(provenOnly ? ['only for proven names: decide it on the operators\' page'] : []),
  ];
  return rules.length > 0 ? [rules.join('; ')] : [];
}

function formBody(form: QuestionForm | undefined): readonly string[] {
  return Object.entries(form ?? {}).map(([name, { type, label, options, required }]) => {
    const kind = type === 'choice' ? `one of ${(options ?? []).join(', ')}` : type;
    return `  ${name}: ${kind}${required === false ? ', may be left out' : ''}${label ? ` (${label})` : ''}`;
  });
}

/** Commands are never wrapped: they are there to be copied. */
function commandLines(entry: InboxEntry): readonly string[] {
  return nextCommands(entry).map((line) => `${' '.repeat(INDENT)}${line}`);
}

export function nextCommands(entry: InboxEntry): readonly string[] {
  const { run } = entry;
  switch (entry.kind) {
    case 'approval': return [approveCommand(entry), command('reject', run, entry.call, '--reason', '…')];
    case 'question': return [answerCommand(entry.run, entry.question.form)];
    case 'outcome': return [command('settle', run, entry.call, '--happened'), command('settle', run, entry.call, '--not-happened')];
    case 'hand_over': return goOnCommands(run, entry.handOver);
    case 'taken_over': return [command('give-back', run, '--note', '…')];
    case 'paused': return [command('resume', run)];
  }
}

/** What is off is switched on first; then the run is still to be resumed. */
export function goOnCommands(run: string, handOver: HandOver | undefined): readonly string[] {
  const resume = command('resume', run, '--note', '…');
  if (!handOver) return [resume];
  const next = plainText(handOver.next);
  return [commandText(next), ...(isResumedAfter(handOver) ? [resume] : [])];
}

/** The hash stands in it only where the whole arguments stand above it: then it is a yes to what was read. */
export function approveCommand({ run, call, args, argsHash }: Pick<ApprovalEntry, 'run' | 'call' | 'args' | 'argsHash'>): string {
  const isWhole = exactJson(args).length <= ARGS_CHARS;
  return command('approve', run, call, ...(isWhole ? hashOption({ argsHash }) : []));
}

export function hashOption({ argsHash }: Pick<ApprovalEntry, 'argsHash'>): readonly string[] {
  return ['--args-hash', argsHash.slice(0, HASH_CHARS)];
}

export function answerCommand(run: string, form: QuestionForm | undefined): string {
  if (!form) return command('answer', run, '…');
  const required = Object.entries(form).filter(([, field]) => field.required !== false);
  return command('answer', run, ...required.flatMap(([name]) => ['--field', `${name}=…`]));
}

function cut(text: string): string {
  if (text.length <= ARGS_CHARS) return text;
  return `${text.slice(0, ARGS_CHARS).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`;
}
