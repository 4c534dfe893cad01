import { oneLine, wellFormed } from '../core/data-text.ts';
import type { PinnedAgent } from '../core/agent.ts';
import { hasAmount } from '../core/evidence.ts';
import type { Evidence } from '../core/evidence.ts';
import type { Action, CallAction } from '../core/transcript.ts';
import type { AgentDefinition } from '../tools/define-agent.ts';
import { argsHash } from './args-hash.ts';
import type { EffectBook } from './effect-book.ts';
import { idsIn } from './unseen-id.ts';

/** What only the record of effects knows is looked up when a call is to be held, so that whoever is asked knows what was done elsewhere by then. */
export async function withElsewhere<A extends Action>(action: A, firstRunId: string, book: EffectBook): Promise<A> {
  if (action.kind !== 'call' || !action.approval?.checks) return action;
  const elsewhere = await book.elsewhere(action, firstRunId);
  return elsewhere ? { ...action, approval: { ...action.approval, checks: { ...action.approval.checks, elsewhere } } } : action;
}

const SUMMARY_CHARS = 300;

/** Ids that are told one by one: more than a person looks through. */
const MOST_IDS = 20;
const ID_CHARS = 80;

interface Shown {
  readonly firstRunId: string;
  readonly why: string;
  readonly definition?: AgentDefinition;
  readonly agent: PinnedAgent;
  readonly evidence: Evidence;
}

/** The call with what a person is shown of it and what their decision is bound to. */
export function withApproval(call: CallAction, { firstRunId, why, definition, agent, evidence }: Shown): CallAction {
  const { id, tool, args } = call;
  const code = definition?.tools.find(({ name }) => name === tool);
  const { summary, amount } = code?.describe(args) ?? {};
  const ids = idsIn(args, agent.tools.find(({ name }) => name === tool)?.ids ?? {});
  return {
    ...call,
    approval: {
      argsHash: argsHash({ firstRunId, call: id, tool, args }),
      why,
      ...(summary === undefined ? {} : { summary: oneLine(wellFormed(summary), SUMMARY_CHARS) }),
      ...(amount ? { amount } : {}),
      checks: {
        fields: Object.keys(args).length, rules: code !== undefined,
        ids: ids.slice(0, MOST_IDS).map((one) => ({ ...one, value: oneLine(wellFormed(one.value), ID_CHARS) })),
        ...(amount ? { amountSeen: hasAmount(evidence, amount.amount) } : {}),
      },
    },
  };
}
