import { createHash } from 'node:crypto';
import { effectKeyText } from '../core/effect-key.ts';
import { inOrderOfCalls } from '../core/in-order-of-calls.ts';
import type { CallAction, Item, ObservationItem, PersonItem } from '../core/transcript.ts';
import { itemOf } from './trace-item.ts';
import type { EffectLine, TraceEntry } from './types.ts';

/**
 * The record of effects: a line for each call that changed the world, may have, or is about to. A fold over the trace
 * alone, so it tells the same of a run whose older part the server has deleted.
 */
export function foldEffects(entries: readonly TraceEntry[], firstRunId?: string): readonly EffectLine[] {
  const lines = new Map<string, EffectLine>();
  const change = (call: string, line: Partial<EffectLine>) => {
    const known = lines.get(call);
    if (known) lines.set(call, { ...known, ...line });
  };
  for (const entry of inOrderOfCalls(entries, itemOf)) {
    if (entry.kind === 'call_started') change(entry.call, { outcome: 'running', attempts: entry.attempt, atMs: entry.atMs });
    if (entry.kind === 'attempt_failed' && entry.of.kind === 'call') change(entry.of.call, { attempts: entry.attempt });
    if (entry.kind === 'item') takeIn(lines, entry.item, { atMs: entry.atMs, firstRunId });
  }
  // What was asked for and never tried is no effect; what waits or runs may become one.
  return [...lines.values()].filter(({ outcome }) => outcome !== 'asked');
}

/** A second try under the key of a call in doubt is about the same effect: its outcome is that call's. */
function put(lines: Map<string, EffectLine>, line: EffectLine): void {
  const first = [...lines.values()].find((other) => other.call !== line.call && other.outcome === 'unknown' && other.key !== undefined && other.key === line.key);
  if (!first) return void lines.set(line.call, line);
  lines.delete(line.call);
  const { outcome, text, atMs } = line;
  lines.set(first.call, { ...first, outcome, attempts: first.attempts + line.attempts, ...(text === undefined ? {} : { text }), ...(atMs === undefined ? {} : { atMs }) });
}

interface Place {
  readonly atMs: number | undefined;
  readonly firstRunId: string | undefined;
}

function takeIn(lines: Map<string, EffectLine>, item: Item, place: Place): void {
  switch (item.type) {
    case 'reply':
      for (const action of item.actions) {
        if (action.kind === 'call' && action.effect) lines.set(action.id, asked(action, place));
      }
      return;
    case 'observation': {
      const line = observed(lines.get(item.call), item, place);
      if (line) put(lines, line);
      else lines.delete(item.call);
      return;
    }
    case 'held':
      held(lines, item.call, place);
      return;
    case 'person':
      decided(lines, item, place);
      return;
    default:
      return;
  }
}

function asked({ id, tool, args, effect, key }: CallAction, { atMs, firstRunId }: Place): EffectLine {
  return {
    call: id, tool, args, kind: effect ?? 'once', ...keyOf({ call: id, key, firstRunId }), attempts: 0, outcome: 'asked',
    ...(atMs === undefined ? {} : { atMs }),
  };
}

/** An observation without a note of how it was tried is that of a call that did not run, or that a person answered. */
function observed(before: EffectLine | undefined, item: ObservationItem, { atMs, firstRunId }: Place): EffectLine | undefined {
  const { call, tool, status, text, effect } = item;
  if (!effect || status === 'skipped' || status === 'denied') return undefined;
  return {
    args: {},
    ...before,
    call, tool, kind: effect.kind, ...keyOf({ call, key: effect.key, firstRunId }),
    attempts: effect.attempts ?? Math.max(1, before?.attempts ?? 1),
    ...(effect.doneBy ? { outcome: 'earlier', doneBy: effect.doneBy } : { outcome: status === 'empty' ? 'ok' : status }),
    text,
    ...(atMs === undefined ? {} : { atMs }),
  };
}

function held(lines: Map<string, EffectLine>, call: string, { atMs }: Place): void {
  const line = lines.get(call);
  if (line) lines.set(call, { ...line, outcome: 'held', ...(atMs === undefined ? {} : { atMs }) });
}

/** Who said yes to a call, and who said what became of one. */
function decided(lines: Map<string, EffectLine>, { verb, by, call, refused, args, outcome }: PersonItem, { atMs }: Place): void {
  const line = call === undefined ? undefined : lines.get(call);
  if (!line || refused !== undefined) return;
  const when = atMs === undefined ? {} : { atMs };
  if (verb === 'approve' || verb === 'edit') {
    lines.set(line.call, { ...line, approvedBy: { person: by, ...when }, ...(args ? { args } : {}) });
  }
  if (verb === 'settle') lines.set(line.call, { ...line, outcome: settledAs(line, outcome), settledBy: { person: by, ...when } });
}

/** What a person found out; an order to try again says nothing about the outcome. */
function settledAs(line: EffectLine, said: PersonItem['outcome']): EffectLine['outcome'] {
  if (said === 'happened') return 'ok';
  return said === 'not_happened' ? 'error' : line.outcome;
}

function keyOf({ call, key, firstRunId }: { readonly call: string; readonly key: string | undefined; readonly firstRunId: string | undefined }): Pick<EffectLine, 'key'> {
  if (key !== undefined) return { key };
  return firstRunId === undefined ? {} : { key: createHash('sha256').update(effectKeyText(firstRunId, call)).digest('hex') };
}

