import { withMarks } from '../../core/compaction.ts';
import { firstStop } from '../../core/guards.ts';
import { withExpired } from '../../core/held-calls.ts';
import { closeTurn, openTurn, readyCalls, recordResult } from '../../core/open-turn.ts';
import { planTurn } from '../../core/policy.ts';
import { recordReply } from '../../core/record.ts';
import type { RunResult } from '../../core/run.ts';
import { startRun } from '../../core/state.ts';
import type { RunState } from '../../core/state.ts';
import { recordStop, resultOf } from '../../core/stop.ts';
import { recordLostThink } from '../../core/think-failure.ts';
import type { LostThink } from '../../core/think-failure.ts';
import { NO_COUNTS } from '../../core/agent.ts';
import type { PinnedAgent } from '../../core/agent.ts';
import type { Action, CallAction, CallUsage, ObservationItem, ReplyItem } from '../../core/transcript.ts';

/** The whole decision core without Temporal: the loop of `agentRun`, its activities given as functions. */
export interface Simulation {
  readonly agent: PinnedAgent;
  readonly task?: string;
  /** The model: what it replies in this state. */
  readonly reply: (state: RunState) => ReplyItem | Exclude<LostThink, { kind: 'cancelled' }>;
  readonly run: (call: CallAction, state: RunState) => ObservationItem;
  /** What persons send while the model is asked. */
  readonly arrives?: (state: RunState) => RunState;
}

export interface Simulated {
  readonly state: RunState;
  readonly result: RunResult;
  readonly ran: readonly CallAction[];
}

export function simulate({ agent, task = 'Look at order 88213.', reply, run, arrives = (state) => state }: Simulation): Simulated {
  const ran: CallAction[] = [];
  let state = startRun({ agent: agent.name, task }, agent, { id: 'run', firstRunId: 'first', nowMs: 0 });
  for (let round = 0; round < 1_000; round += 1) {
    const cause = firstStop(state);
    if (cause) return ended(recordStop(state, cause, 0), ran);
    state = withMarks(state, 0);
    const answered = reply(state);
    state = arrives(state);
    if ('kind' in answered) {
      state = recordLostThink(state, answered, 0);
      continue;
    }
    state = recordReply(state, answered, 0);
    const steps = planTurn(state, answered);
    state = openTurn(state, steps, { before: NO_COUNTS, nowMs: 0 });
    for (const ready of readyCalls(state)) {
      ran.push(ready.call);
      state = recordResult(state, ready, { observation: run(ready.call, state), nowMs: 0 });
    }
    // Nobody is there to decide anything.
    state = closeTurn(withExpired(state, Number.MAX_SAFE_INTEGER), 0);
    if (state.question) return ended(recordStop(state, { reason: 'hand_over', text: 'asked' }, 0), ran);
  }
  throw new Error('the loop did not end');
}

function ended(state: RunState, ran: readonly CallAction[]): Simulated {
  return { state, result: resultOf(state), ran };
}

export const USED: CallUsage = {
  model: 'scripted', inputTokens: 400, outputTokens: 20, cachedTokens: 0, estimatedTokens: 0, attempts: 1, ms: 10, promptBytes: 4_000,
};

export function replyWith(state: RunState, actions: readonly ActionDraft[], usage: Partial<CallUsage> = {}): ReplyItem {
  const turn = state.turn + 1;
  const numbered = actions.map((action, i): Action => ({ ...action, id: `${turn}.${i + 1}` }));
  return { type: 'reply', turn, thought: 'I see.', actions: numbered, notes: [], usage: { ...USED, ...usage } };
}

/** An action before it has its number. */
export type ActionDraft = Action extends infer One ? (One extends Action ? Omit<One, 'id'> : never) : never;

export function call(tool: string, id: string): ActionDraft {
  return { kind: 'call', tool, args: { id }, hash: `${tool}:${id}`, needsApproval: false };
}

export function answer(text: string): ActionDraft {
  return { kind: 'final_answer', answer: text, problems: [] };
}

export function observed({ id, tool }: CallAction, text: string, status: ObservationItem['status'] = 'ok'): ObservationItem {
  return { type: 'observation', call: id, tool, status, text, seen: [], hash: text, ms: 5 };
}
