import type { Limits, PinnedAgent, ToolFacts } from '../../core/agent.ts';
import { agentPromptBytes } from '../../core/prompt.ts';

export function toolFacts(facts: Partial<ToolFacts> & Pick<ToolFacts, 'name'>): ToolFacts {
  return {
    description: `The tool ${facts.name}.`,
    schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false },
    effect: 'read', ids: {}, approval: 'never', timeoutMs: 30_000, maxAttempts: 3, polls: false,
    ...facts,
  };
}

const LIMITS: Limits = {
  turns: 12,
  budget: { kind: 'tokens', tokens: 200_000 },
  timeMs: 120_000,
  repeats: 3,
  idleTurns: 3,
  outputTokens: 1_024,
  modelCallMs: 60_000,
  modelAttempts: 5,
  waitMs: 30 * 86_400_000,
};

/** An agent as a run has it pinned, with two reads and one write. */
export function pinnedAgent(changes: Partial<Omit<PinnedAgent, 'limits'>> & { readonly limits?: Partial<Limits> } = {}): PinnedAgent {
  const { limits, ...rest } = changes;
  const agent: PinnedAgent = {
    name: 'desk',
    version: '1',
    hash: 'f00d',
    instructions: 'You work at the desk.',
    model: 'scripted',
    form: 'function-calling',
    tools: [
      toolFacts({ name: 'get_order' }),
      toolFacts({ name: 'get_policy' }),
      toolFacts({ name: 'refund', effect: 'once' }),
    ],
    constraints: [],
    limits: { ...LIMITS, ...limits },
    context: {
      observationChars: 1_500, elideAboveTokens: 24_000, summariseAboveTokens: 48_000,
      historyEvents: 2_000, historyBytes: 4_000_000,
    },
    handOverWhen: [],
    onStop: 'wait',
    searchAttributes: [],
    promptBytes: 0,
    reservesNewText: true,
    ...rest,
  };
  return { ...agent, promptBytes: agentPromptBytes(agent) };
}
