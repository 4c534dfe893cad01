import type { ReadableTool } from './call-arguments.ts';
import { cutReply, emptyReply, noLabel, refusedReply, unclosedReasoning, withheldReply } from './format-problem.ts';
import { setAsideReasoning } from './reasoning-blocks.ts';
import type { ModelReply, ReadAction, ReadReply } from './reply.ts';
import { readDecision } from './text-action.ts';
import { labelsOf, lineEnd, withoutOpenBold } from './text-labels.ts';
import type { Label } from './text-labels.ts';
import type { ReplyNote } from './transcript.ts';

/**
 * Reads a reply in text ReAct: reasoning blocks set aside, cut at the first observation that the model wrote itself, then
 * the first action or answer and nothing behind it. Arguments are read whole or not at all; whatever is not certain is a
 * format problem that tells the model what to write. Prose without a label is never an answer, since reasoning in prose
 * looks the same. One action a reply. Linear, never throws.
 */
export function readTextReply(reply: ModelReply, tools: readonly ReadableTool[]): ReadReply {
  if (reply.refusal?.trim()) return only(refusedReply(reply.refusal));
  if (reply.finish === 'filter') return only(withheldReply(reply.text));
  const text = plainText(reply.text);
  const spoken = setAsideReasoning(text);
  if (spoken.isUnclosed) return only(unclosedReasoning());
  if (spoken.text.trim() === '') return only(reply.finish === 'length' ? cutReply('') : emptyReply());
  return readSpoken(withoutOuterFence(spoken.text), { tools, isCutOff: reply.finish === 'length' });
}

export function only(action: ReadAction): ReadReply {
  return { actions: [action], notes: [] };
}

/** One kind of line break. A mark at the start of the text, which some servers leave there, is no part of it. */
export function plainText(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}

/** Some models put their whole turn into one fence. */
function withoutOuterFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```') || !trimmed.endsWith('\n```')) return text;
  const body = trimmed.slice(lineEnd(trimmed, 0) + 1, -4);
  return body.includes('```') ? text : body;
}

/** How a reply is to be read. */
export interface Reading {
  readonly tools: readonly ReadableTool[];
  /** The output limit ended the reply: what is not visibly complete is not. */
  readonly isCutOff: boolean;
}

/** Reads text that has no reasoning blocks in it any more. */
export function readSpoken(text: string, { tools, isCutOff }: Reading): ReadReply {
  const labels = labelsOf(text);
  const invented = inventedObservation(text, labels);
  const end = invented?.start ?? text.length;
  const own = text.slice(0, end);
  const notes = invented ? [inventedNote(text.length - end)] : [];
  const before = labels.filter(({ start }) => start < end);
  const decision = before.findIndex(({ kind }) => kind === 'action' || kind === 'answer' || kind === 'input');
  const label = before[decision];
  if (!label) return { actions: [isCutOff && !invented ? cutReply(own.trim()) : noLabel(own.trim())], notes };
  const next = before.slice(decision + 1);
  const action = readDecision({ text: own, tools, label, next, isCutOff: isCutOff && !invented });
  const thought = thoughtOf(own.slice(0, label.start), before.slice(0, decision));
  return { ...withThought(action, thought), notes: [...notes, ...thoughtNotes([action], thought)] };
}

/** A problem without a tool shows the whole reply back, thought included, so the thought is not said twice. */
function withThought(action: ReadAction, thought: string): Omit<ReadReply, 'notes'> {
  const isWhole = action.kind === 'format' && action.tool === undefined;
  return thought === '' || isWhole ? { actions: [action] } : { thought, actions: [action] };
}

/** Both forms ask for a line of thought; a turn without one is counted. */
export function thoughtNotes(actions: readonly ReadAction[], thought: string): readonly ReplyNote[] {
  const acts = actions.some(({ kind }) => kind !== 'format');
  return acts && thought === '' ? [{ kind: 'no_thought', text: 'No thought given.' }] : [];
}

/** An observation of the model's own is never read; that it wrote one is counted. */
export function inventedNote(characters: number): ReplyNote {
  return { kind: 'invented_observation', text: `The model wrote an observation itself: its last ${characters} characters were not read.` };
}

/** The first observation label, but not one that a final answer shows inside a closed fence. */
function inventedObservation(text: string, labels: readonly Label[]): Label | undefined {
  const decision = labels.find(({ kind }) => kind !== 'thought');
  const observations = labels.filter(({ kind }) => kind === 'observation');
  if (decision?.kind !== 'answer') return observations[0];
  const fences = fencesOf(text, decision.value);
  return observations.find(({ start }) => !fences.some(([from, to]) => start > from && start < to));
}

/** Start and end of each closed fence. */
function fencesOf(text: string, from: number): readonly (readonly [number, number])[] {
  const marks = [...text.slice(from).matchAll(/^[ \t]*```/gm)].map(({ index }) => from + index);
  const fences: (readonly [number, number])[] = [];
  for (let i = 0; i + 1 < marks.length; i += 2) fences.push([marks[i] ?? 0, marks[i + 1] ?? 0]);
  return fences;
}

/** The model's text before its action: prose and `Thought:` lines, labels taken off. */
function thoughtOf(text: string, labels: readonly Label[]): string {
  const parts: string[] = [];
  let from = 0;
  let openBold = '';
  for (const label of labels) {
    parts.push(withoutOpenBold(text.slice(from, label.start), openBold));
    from = label.value;
    openBold = label.openBold;
  }
  parts.push(withoutOpenBold(text.slice(from), openBold));
  return parts.filter((part) => part !== '').join('\n');
}
