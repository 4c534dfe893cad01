import { oneLine, wellFormed } from '../core/data-text.ts';
import type { CallAction } from '../core/transcript.ts';
import type { AgentDefinition } from '../tools/define-agent.ts';
import { argsHash } from './args-hash.ts';

const SUMMARY_CHARS = 300;

interface Shown {
  readonly firstRunId: string;
  readonly why: string;
  readonly definition?: AgentDefinition;
}

/** The call with what a person is shown of it and what their decision is bound to. */
export function withApproval(call: CallAction, { firstRunId, why, definition }: Shown): CallAction {
  const { id, tool, args } = call;
  const { summary, amount } = definition?.tools.find(({ name }) => name === tool)?.describe(args) ?? {};
  return {
    ...call,
    approval: {
      argsHash: argsHash({ firstRunId, call: id, tool, args }),
      why,
      ...(summary === undefined ? {} : { summary: oneLine(wellFormed(summary), SUMMARY_CHARS) }),
      ...(amount ? { amount } : {}),
    },
  };
}
