import type { PinnedAgent } from '../core/agent.ts';
import type { Evidence } from '../core/evidence.ts';
import type { ReadAction, ReadReply } from '../core/reply.ts';
import type { Action, CallAction, Item, ReplyNote } from '../core/transcript.ts';
import type { AgentDefinition } from '../tools/define-agent.ts';
import { withApproval } from './approval-facts.ts';
import { checkAnswer } from './check-answer.ts';
import { checkBareCall } from './check-bare-call.ts';
import { checkCall } from './check-call.ts';
import type { CheckedCall } from './check-call.ts';
import { invalid } from './invalid-action.ts';
import { wellFormedAction } from './well-formed-action.ts';

/** Actions of one reply that are looked at. Only sixteen calls of them can run. */
const MAX_ACTIONS = 200;

/** All that a reply is checked against. */
export interface CheckContext {
  readonly turn: number;
  readonly agent: PinnedAgent;
  /** The code behind the pinned agent, for rules on arguments; absent when it is not deployed any more. */
  readonly definition?: AgentDefinition;
  readonly evidence: Evidence;
  readonly items: readonly Item[];
  /** First execution's run id: part of what a decision is bound to. */
  readonly firstRunId: string;
}

export interface CheckedReply {
  readonly actions: readonly Action[];
  readonly notes: readonly ReplyNote[];
}

/** Turns what a reply says into actions that can run, or that carry their problem and the text that the model will read. Never throws. */
export function checkReply({ actions, notes }: ReadReply, context: CheckContext): CheckedReply {
  const numbered = actions.slice(0, MAX_ACTIONS).map((action, i) => ({ action, id: `${context.turn}.${i + 1}` }));
  return {
    actions: numbered.map(({ action, id }) => checkAction(wellFormedAction(action), id, context)),
    notes: [...notes, ...numbered.flatMap(({ action, id }) => repairNote(action, id))],
  };
}

/** What was mended in a call's arguments is in the record, and counted: the model did not write what runs. */
function repairNote(action: ReadAction, call: string): readonly ReplyNote[] {
  return action.kind === 'call' && action.repaired !== undefined ? [{ kind: 'repaired', call, text: action.repaired }] : [];
}

/** The number is part of what a person's decision is bound to, so it comes before that. */
function numbered(base: Pick<CallAction, 'id' | 'provider'>, checked: CheckedCall, { firstRunId, definition, agent, evidence }: CheckContext): Action {
  if (checked.kind === 'invalid') return { ...base, ...checked };
  const { why, ...call } = checked;
  return why === undefined ? { ...base, ...call } : withApproval({ ...base, ...call }, { firstRunId, why, agent, evidence, ...(definition ? { definition } : {}) });
}

function checkAction(action: ReadAction, id: string, context: CheckContext): Action {
  const base = { id, ...('provider' in action && action.provider ? { provider: action.provider } : {}) };
  switch (action.kind) {
    case 'format': return { ...base, ...invalid(action.problem, action) };
    case 'call': return numbered(base, checkCall(action, context), context);
    case 'bare_call': return numbered(base, checkBareCall(action, context), context);
    case 'final_answer': return { ...base, ...checkAnswer(action.text, context) };
    case 'ask_person': return { ...base, kind: 'ask_person', question: action.question, ...(action.form ? { form: action.form } : {}) };
    case 'hand_over': return { ...base, kind: 'hand_over', reason: action.reason, ...(action.queue ? { queue: action.queue } : {}) };
    case 'update_todo': return { ...base, kind: 'update_todo', items: action.items };
  }
}
