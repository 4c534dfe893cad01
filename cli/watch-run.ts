import type { CaseworkerClient, TraceEntry } from '../client/types.ts';
import type { HandOver, HeldView, OpenQuestion, RunResult, RunStatus } from '../core/run.ts';
import type { Stop } from '../core/run.ts';
import type { Output } from './output.ts';
import type { TraceMemory } from './trace-style.ts';
import { NOTHING_TOLD, tellEntry } from './trace-text.ts';

/** How the watching of a run came to its end. */
export type Watched =
  | { readonly kind: 'ended'; readonly result: RunResult }
  | { readonly kind: 'closed'; readonly how: string }
  | {
      readonly kind: 'waiting';
      readonly status: RunStatus;
      readonly handOver?: HandOver;
      readonly held?: readonly HeldView[];
      readonly question?: OpenQuestion;
      readonly stop?: Pick<Stop, 'reason' | 'detail'>;
    }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'timed_out' };

export interface WatchOptions {
  readonly id: string;
  /** Ends the watching, not the run. */
  readonly signal: AbortSignal;
  readonly waitMs?: number;
  /** What was there before and is not told again. */
  readonly known?: readonly TraceEntry[];
  /** `tail -f`: goes on while the run waits for a person. */
  readonly throughWaits?: boolean;
}

/** Tells a run's trace while it happens, until it ends, waits for a person, or nobody wants to watch any more. */
export async function watchRun(client: CaseworkerClient, out: Output, options: WatchOptions): Promise<Watched> {
  const timeUp = options.waitMs === undefined ? undefined : AbortSignal.timeout(options.waitMs);
  const signal = timeUp ? AbortSignal.any([options.signal, timeUp]) : options.signal;
  const known = options.known ?? [];
  let memory = known.reduce((before, entry) => tellEntry(before, entry, out.style).memory, NOTHING_TOLD);
  let stop: Pick<Stop, 'reason' | 'detail'> | undefined;
  for await (const entry of client.follow(options.id, { signal, known })) {
    memory = tell(out, memory, entry);
    if (entry.kind === 'item' && entry.item.type === 'stop') stop = entry.item;
    if (entry.kind === 'end') return { kind: 'ended', result: entry.result };
    if (entry.kind === 'closed')
      return { kind: 'closed', how: entry.message ? `${entry.how}: ${entry.message}` : entry.how };
    if (entry.kind === 'waiting' && !options.throughWaits) return waits(entry, stop);
  }
  return options.signal.aborted ? { kind: 'interrupted' } : { kind: 'timed_out' };
}

function tell(out: Output, memory: TraceMemory, entry: TraceEntry): TraceMemory {
  const told = tellEntry(memory, entry, out.style);
  if (out.format === 'text') out.lines(told.lines);
  if (out.format === 'jsonl') out.value(entry);
  return told.memory;
}

function waits(
  entry: Extract<TraceEntry, { kind: 'waiting' }>,
  stop: Pick<Stop, 'reason' | 'detail'> | undefined,
): Watched {
  const { status, handOver, held, question } = entry;
  return {
    ...waitsAs(status, stop),
    ...(handOver ? { handOver } : {}),
    ...(held ? { held } : {}),
    ...(question ? { question } : {}),
  };
}

/** A stop says why a run waits only while it is handed over: one that went on since has it behind it. */
export function waitsAs(status: RunStatus, stop: Pick<Stop, 'reason' | 'detail'> | undefined): Extract<Watched, { kind: 'waiting' }> {
  return { kind: 'waiting', status, ...(status === 'handed_over' && stop ? { stop } : {}) };
}
