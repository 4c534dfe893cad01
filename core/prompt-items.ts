import { dataLines, harmlessTags, oneLine } from './data-text.ts';
import { own } from './json.ts';
import { listed } from './reminder.ts';
import type { ObservationItem, PersonItem, SummaryItem, TaskItem } from './transcript.ts';

const NAME_CHARS = 80;
/** Here constraints stand whole; the reminder says them short. */
const CONSTRAINT_CHARS = 4_000;

export function taskText({ goal, constraints }: Pick<TaskItem, 'goal' | 'constraints'>): string {
  return ['Task:', dataLines(goal), ...listed('Constraints:', constraints, CONSTRAINT_CHARS)].join('\n');
}

/** Turns that are no longer shown, in one text; the task is said again since it was among them. */
export function summaryText({ goal, constraints, text }: SummaryItem): string {
  return [taskText({ goal, constraints }), 'Summary of the turns before:', dataLines(text)].join('\n');
}

/** What a tool brought, as data; its id is there for `recall`. */
export function observationText({ call, status, text }: ObservationItem): string {
  return `[${call} ${status}]\n${dataLines(text)}`;
}

/** What our own code says about an action that is no tool call: a correction may show a format, so it has no marks. */
export function ownObservationText({ call, status, text }: ObservationItem): string {
  return `[${call} ${status}]\n${harmlessTags(text)}`;
}

/** Said for an action whose observation never came, so that every action has one. */
export function missingObservation(call: string): ObservationItem {
  const text = 'Not run, or its result was lost: the run was interrupted. Ask again if it is still needed.';
  return { type: 'observation', call, tool: '', status: 'skipped', text, seen: [], hash: '', ms: 0 };
}

/** Stands for an observation that was elided to save space. */
export function elidedText({ call }: ObservationItem): string {
  return `Elided to save space; recall ${call} brings it back.`;
}

/** What a person did, as far as the model should know of it; `undefined` for the rest, and for what was refused. */
export function personText(item: PersonItem): string | undefined {
  if (item.refused !== undefined) return undefined;
  return own(SAID, item.verb)?.(item);
}

const SAID: Readonly<Record<string, (item: PersonItem) => string>> = {
  message: (item) => `${who(item)} says:\n${dataLines(item.text)}`,
  answer: (item) => `${who(item)} answers${item.call ? ` question ${oneLine(item.call, NAME_CHARS)}` : ''}:\n${dataLines(item.text)}`,
  redirect: (item) => `${who(item)} changed the task.\n${changes(item)}`,
  settle: (item) => `${who(item)} found out:\n${dataLines(item.text)}`,
  'take-over': (item) => `${who(item)} took the run over.\n${changes(item)}`,
  call: (item) => `${who(item)} ran, while holding the run, ${oneLine(item.tool ?? '', NAME_CHARS)}.`,
  todo: (item) => `${who(item)} changed the to-do list.\n${dataLines(item.text)}`,
  'give-back': (item) => `${who(item)} gave the run back.\n${changes(item)}`,
  resume: (item) => `${who(item)} let the run go on.\n${changes(item)}`,
};

function who({ by }: PersonItem): string {
  return `A person (${oneLine(by.name, NAME_CHARS)}${by.verified ? '' : ', name not verified'})`;
}

function changes({ text, goal, constraints }: PersonItem): string {
  return [
    ...(text === '' ? [] : [dataLines(text)]),
    ...(goal === undefined ? [] : ['The goal is now:', dataLines(goal)]),
    ...(constraints ? listed('The constraints are now:', constraints, CONSTRAINT_CHARS) : []),
  ].join('\n');
}
