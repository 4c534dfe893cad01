import { durationText } from '../core/duration.ts';
import { BUILT_IN } from '../core/names.ts';
import { elsewhereText } from '../client/elsewhere-text.ts';
import type { Action, HeldItem, Item, ObservationItem, PersonItem, ReplyItem, TodoEntry } from '../core/transcript.ts';
import type { TraceEntry } from '../client/types.ts';
import { endLines, stopLines } from './ending-text.ts';
import { exactJson } from './exact-json.ts';
import { labelled, plainText } from './plain-text.ts';
import { cut, INDENT, place, type TraceMemory, type TraceStyle } from './trace-style.ts';
import { moneyText, numberText, shortMoney } from './words.ts';

export const NOTHING_TOLD: TraceMemory = { actions: 0, answered: false, args: {} };

export interface Told {
  readonly memory: TraceMemory;
  readonly lines: readonly string[];
}

const OBSERVATION_LINES = 8;

/** Lines for one entry of a trace, in its place. Pure: the same entries give the same lines, live or afterwards. */
export function tellEntry(memory: TraceMemory, entry: TraceEntry, style: TraceStyle): Told {
  const told = (lines: readonly string[]): Told => ({ memory, lines });
  switch (entry.kind) {
    case 'item':
      return { memory: remembered(memory, entry.item), lines: itemLines(memory, entry.item, style) };
    case 'unknown_item':
      return told(note(`An item of a newer version is not shown: ${plainText(entry.was)}.`, style));
    case 'call_started':
      return told([]);
    case 'attempt_failed':
      return told(failedAttemptLines(entry, style));
    case 'waiting':
      return told([]);
    case 'missing':
      return told(note(`Items ${entry.from} to ${entry.to} are missing: ${entry.why}.`, style));
    case 'end':
      return told(endLines(memory, entry.result, style));
    case 'closed': {
      const why = entry.message ? `: ${plainText(entry.message)}` : '';
      return told(['', ...labelled('Closed', `without a result, ${CLOSED[entry.how]}${why}`, place(style, 8))]);
    }
  }
}

const CLOSED = {
  terminated: 'terminated from outside',
  failed: 'the workflow failed',
  timed_out: 'timed out',
  cancelled: 'cancelled',
} as const;

export function traceLines(entries: readonly TraceEntry[], style: TraceStyle): readonly string[] {
  const lines: string[] = [];
  let memory = NOTHING_TOLD;
  for (const entry of entries) {
    const told = tellEntry(memory, entry, style);
    lines.push(...told.lines);
    memory = told.memory;
  }
  return [...lines, ...openCalls(entries, style)];
}

export function remembered(memory: TraceMemory, item: Item): TraceMemory {
  if (item.type === 'task') return { ...memory, budget: item.budget };
  if (item.type === 'reply') return { ...memory, actions: item.actions.length, args: { ...memory.args, ...argsOfCalls(item) } };
  if (item.type === 'held' && item.args && !Object.hasOwn(memory.args, item.call)) return { ...memory, args: { ...memory.args, [item.call]: item.args } };
  if (item.type === 'person' && item.verb === 'edit' && item.refused === undefined && item.call !== undefined && item.args) {
    return { ...memory, args: { ...memory.args, [item.call]: item.args } };
  }
  return item.type === 'stop' && item.answer !== undefined ? { ...memory, answered: true } : memory;
}

function argsOfCalls({ actions }: ReplyItem): TraceMemory['args'] {
  return Object.fromEntries(actions.flatMap((action) => (action.kind === 'call' ? [[action.id, action.args]] : [])));
}

/** Calls that were started and have not come back. */
function openCalls(entries: readonly TraceEntry[], style: TraceStyle): readonly string[] {
  if (entries.some(({ kind }) => kind === 'end' || kind === 'closed')) return [];
  const observed = new Set(
    entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'observation' ? [entry.item.call] : [])),
  );
  return entries.flatMap((entry) =>
    entry.kind === 'call_started' && !observed.has(entry.call)
      ? note(`${plainText(entry.tool)} (${entry.call}) has not come back yet.`, style)
      : [],
  );
}

function itemLines(memory: TraceMemory, item: Item, style: TraceStyle): readonly string[] {
  switch (item.type) {
    case 'task': {
      const { agent, constraints, goal, fork } = item;
      return [
        style.dim(`${agent.name} ${agent.version} · ${agent.form} · model ${plainText(agent.model)}`),
        ...(fork ? labelled('Forked', plainText(`from ${fork.parent} at turn ${fork.turn}`), place(style, 8)) : []),
        ...labelled('Task', plainText(goal), place(style, 8)),
        ...constraints.flatMap((constraint) => labelled('Rule', plainText(constraint), place(style, 8))),
      ];
    }
    case 'reply':
      return replyLines(memory, item, style);
    case 'observation':
      return observationLines(memory, item, style);
    case 'nudge':
      return labelled('  Nudge', `${item.text} (${item.guard})`, place(style, INDENT)).map(style.warn);
    case 'stop':
      return stopLines(item, style);
    case 'person':
      return personLines(memory, item, style);
    case 'held':
      return heldLines(memory, item, style);
    case 'elided':
      return note('Older observations are shown to the model as one line each from here on.', style);
    case 'summary':
      return note('Older turns are shown to the model as a summary from here on.', style);
  }
}

/** A thought is asked for before calls; an answer that needs none is its own. */
function thoughtLines({ thought, actions }: ReplyItem, style: TraceStyle): readonly string[] {
  const said = thought?.trim() ? plainText(thought) : undefined;
  if (said === undefined && actions.every(({ kind }) => kind === 'final_answer')) return [];
  return labelled('  Thought', said ?? 'no thought given', place(style, INDENT));
}

function replyLines({ budget }: TraceMemory, item: ReplyItem, style: TraceStyle): readonly string[] {
  const { turn, usage, actions, notes } = item;
  const head = [
    `Turn ${turn}`,
    durationText(usage.ms),
    `${numberText(usage.inputTokens)}→${numberText(usage.outputTokens)} tokens${usage.estimatedTokens > 0 ? ' (charged by reservation)' : usage.cachedTokens > 0 ? ` (${numberText(usage.cachedTokens)} of them cached)` : ''}`,
    ...(usage.cost !== undefined
      ? [moneyText({ amount: usage.cost, currency: budget?.kind === 'money' ? budget.money.currency : '' }).trimEnd()]
      : []),
    ...(usage.attempts > 1 ? [`${usage.attempts} attempts`] : []),
  ];
  return [
    '',
    style.bold(head.join(' · ')),
    ...thoughtLines(item, style),
    ...actions.flatMap((action) => actionLines(action, actions.length, style)),
    ...notes.filter(({ kind }) => kind !== 'no_thought').flatMap(({ text }) => note(plainText(text), style)),
  ];
}

function actionLines(action: Action, of: number, style: TraceStyle): readonly string[] {
  const label = of > 1 ? `  Action ${action.id}` : '  Action';
  return labelled(label, plainText(actionText(action)), place(style, INDENT));
}

function actionText(action: Action): string {
  switch (action.kind) {
    case 'call':
      return `${action.tool} ${JSON.stringify(action.args)}`;
    case 'invalid':
      return `${action.tool ?? 'unreadable'}: ${action.problem.replaceAll('_', ' ')}: ${cut(action.raw, 300)}`;
    case 'final_answer':
      return 'final answer';
    case 'ask_person':
      return `asks: ${action.question}${action.form ? ` (${Object.keys(action.form).join(', ')})` : ''}`;
    case 'hand_over':
      return `hands over${action.queue ? ` to ${action.queue}` : ''}: ${action.reason}`;
    case 'update_todo':
      return `to-do: ${action.items.map(({ text, done }) => `[${done ? 'x' : ' '}] ${text}`).join(', ')}`;
    default:
      return 'an action of a newer version';
  }
}

function observationLines({ actions }: TraceMemory, item: ObservationItem, style: TraceStyle): readonly string[] {
  // That an answer is the answer is told by the end.
  if (item.tool === BUILT_IN.finalAnswer && item.status === 'ok') return [];
  // What the person who holds the run has called is no action of the turn.
  const label = actions > 1 || isOrder(item.call) ? `  Result ${item.call}` : '  Observation';
  const status = item.status === 'ok' ? '' : `${item.status}: `;
  const lines = labelled(label, status + plainText(item.text), place(style, INDENT));
  const shown = style.full ? lines : lines.slice(0, OBSERVATION_LINES);
  const hidden = lines.length - shown.length;
  const more = [
    ...(hidden > 0 ? [`${hidden} more ${hidden === 1 ? 'line' : 'lines'}: trace --full`] : []),
    ...(item.more
      ? [
          `the model saw the first part of ${numberText(item.more.chars)} characters, the rest by recall("${item.call}")`,
        ]
      : []),
  ];
  const tail = more.length > 0 ? labelled('', `… ${more.join('; ')}`, place(style, INDENT)).map(style.dim) : [];
  return [...(item.status === 'ok' ? shown : shown.map(style.warn)), ...tail];
}

/** Calls of a person are numbered `<turn>.p<n>`. */
function isOrder(call: string): boolean {
  return call.includes('.p');
}

function personLines(memory: TraceMemory, item: PersonItem, style: TraceStyle): readonly string[] {
  const { verb, by, text, refused, call, args } = item;
  const who = `${plainText(by.name)}${by.verified ? '' : ' (name not verified)'}`;
  const said = verb === 'call' && args ? `${item.tool ?? ''} ${exactJson(args)}` : plainText(text);
  const what = `${who}: ${verb}${call ? ` ${call}` : ''}${said ? `: ${said}` : ''}`;
  const before = call === undefined ? undefined : memory.args[call];
  return [
    '',
    ...labelled('Person', refused ? `${what}. Refused, because ${plainText(refused)}` : what, place(style, 8)),
    // A change is told in both versions.
    ...(verb === 'edit' && args && before && !refused ? labelled('  was', exactJson(before), place(style, 8)) : []),
    ...(verb === 'edit' && args ? labelled(refused ? '  asked' : '  now', exactJson(args), place(style, 8)) : []),
    ...(verb === 'todo' && item.todo && !refused ? todoLines(item.todo, style) : []),
  ];
}

export function todoLines(todo: readonly TodoEntry[], style: TraceStyle): readonly string[] {
  return todo.flatMap(({ text, done }, i) => labelled(`  ${i + 1}. [${done ? 'x' : ' '}]`, plainText(text), place(style, 10)));
}

/** Arguments only where they are not those of the action above. */
function heldLines(memory: TraceMemory, { call, tool, facts, deadlineMs, args, orderedBy }: HeldItem, style: TraceStyle): readonly string[] {
  const amount = facts.amount ? ` (${shortMoney(facts.amount)})` : '';
  const changed = args ? `: ${tool} ${exactJson(args)}` : '';
  const ordered = orderedBy ? `, ordered by ${orderedBy.name}` : '';
  const elsewhere = facts.checks?.elsewhere ? ` ${elsewhereText(facts.checks.elsewhere)}` : '';
  const what = plainText(`${facts.summary ?? tool}${amount}${changed}: ${facts.why}${ordered}.${elsewhere} Waits for a person until ${new Date(deadlineMs).toISOString()}`);
  return labelled(memory.actions > 1 ? `  Held ${call}` : '  Held', what, place(style, INDENT)).map(style.warn);
}

function failedAttemptLines(
  entry: Extract<TraceEntry, { kind: 'attempt_failed' }>,
  style: TraceStyle,
): readonly string[] {
  const what =
    entry.of.kind === 'model'
      ? `Model call of turn ${entry.of.turn}`
      : `${plainText(entry.of.tool)} (${entry.of.call})`;
  const type = entry.type ? ` [${entry.type}]` : '';
  const wait = entry.retryAtMs === undefined ? '' : ` in ${durationText(Math.max(0, entry.retryAtMs - entry.atMs))}`;
  const then = entry.last ? 'not tried again' : `tried again${wait}`;
  return note(`${what}, attempt ${entry.attempt} failed${type}: ${plainText(cut(entry.message, 300))}; ${then}`, style);
}

/** What our code says between the lines of the run. */
function note(text: string, style: TraceStyle): readonly string[] {
  return labelled('  ·', text, place(style, 4)).map(style.dim);
}
