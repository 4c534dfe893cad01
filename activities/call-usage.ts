import type { PinnedAgent } from '../core/agent.ts';
import type { Allowance, ThinkFailureDetails } from '../core/contract.ts';
import { costOf, decimal } from '../core/money.ts';
import type { ModelReply } from '../core/reply.ts';
import type { CallUsage } from '../core/transcript.ts';

export interface CallFacts {
  readonly agent: PinnedAgent;
  readonly allowance: Allowance;
  readonly lost: ThinkFailureDetails;
  readonly ms: number;
  readonly promptBytes: number;
}

/**
 * What one turn's model call is charged: what the provider reported, or the whole reservation when it reported nothing
 * that can be true; and the reservation again for every lost attempt whose billing nobody knows. So a budget always trips.
 */
export function callUsage(reply: ModelReply, { agent, allowance, lost, ms, promptBytes }: CallFacts): CallUsage {
  const reported = reportedTokens(reply.usage);
  const own = reported ?? { inputTokens: allowance.inputTokens, outputTokens: allowance.outputTokens, cachedTokens: 0 };
  const lostInput = lost.unknownBilling * allowance.inputTokens;
  const lostOutput = lost.unknownBilling * allowance.outputTokens;
  const tokens = {
    inputTokens: own.inputTokens + lostInput,
    outputTokens: own.outputTokens + lostOutput,
    cachedTokens: own.cachedTokens,
  };
  return {
    model: reply.model,
    ...tokens,
    estimatedTokens: lostInput + lostOutput + (reported ? 0 : own.inputTokens + own.outputTokens),
    ...(agent.prices ? { cost: decimal(costOf(tokens, agent.prices)) } : {}),
    attempts: lost.attempts + 1,
    ms: lost.ms + ms,
    promptBytes,
  };
}

type Tokens = { readonly inputTokens: number; readonly outputTokens: number; readonly cachedTokens: number };

/** Usage that can be true: a prompt has at least one token, and nothing is negative, broken or not a number. */
function reportedTokens(usage: ModelReply['usage']): Tokens | undefined {
  const input = usage?.inputTokens;
  const output = usage?.outputTokens;
  if (!isCount(input) || !isCount(output) || input === 0) return undefined;
  const cached = usage?.cachedTokens;
  return { inputTokens: input, outputTokens: output, cachedTokens: isCount(cached) ? Math.min(cached, input) : 0 };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
