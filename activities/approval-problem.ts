import type { ActInput } from '../core/contract.ts';
import type { AgentDefinition } from '../tools/define-agent.ts';
import type { Tool } from '../tools/tool.ts';
import { argsHash } from './args-hash.ts';
import { reasonToHold } from './check-call.ts';
import type { Outcome } from './tool-observation.ts';

/**
 * The last look before a call runs: whatever the loop decided, what needs a person's yes has one, and it was said to
 * exactly these arguments.
 */
export function approvalProblem(input: ActInput, tool: Tool, definition: AgentDefinition | undefined): Outcome | undefined {
  const { approved, args, call, firstRunId } = input;
  if (approved) {
    if (approved.argsHash === argsHash({ firstRunId, call, tool: tool.name, args })) return undefined;
    return { status: 'error', text: `Not run: a person approved ${tool.name} with other arguments than these. Ask again, or hand over.` };
  }
  const judgement = tool.judge(args);
  const why = reasonToHold({ facts: tool.facts, args, definition, ruleHolds: judgement.ok && judgement.needsApproval });
  return why === undefined ? undefined : { status: 'error', text: `Not run: ${tool.name} needs a person's approval (${why}), and nobody gave it. Hand over to a person.` };
}
