import type { AgentDefinition } from '../../index.ts';
import { defineAgent } from '../../index.ts';
import type { Line } from '../../models/index.ts';
import { findOrder } from '../order-desk/orders.ts';
import { findPolicy } from '../order-desk/policies.ts';
import { getOrder, getPolicy } from '../order-desk/tools.ts';

/** The tools of a first loop: a missing order is an empty string. */
export const BARE_TOOLS = {
  get_order: (id: string) => JSON.stringify(findOrder(id)) ?? '',
  get_policy: (topic: string) => findPolicy(topic) ?? '',
} as const;

/** A way to break a ReAct loop, and what the model says while it breaks: the same lines for both loops. */
export interface Break {
  /** Also the name under which the scripted model says these lines. */
  readonly name: string;
  readonly question: string;
  readonly script: readonly Line[];
  readonly maxSteps: number;
}

const say = (...lines: readonly string[]): Line => ({ text: lines.join('\n') });

/** The model writes the observation itself, since nothing stops it, and answers from what it made up. */
export const INVENTED_OBSERVATION: Break = {
  name: 'invented-observation',
  question: 'What is refunded for order 88213?',
  maxSteps: 12,
  script: [
    say(
      'Thought: I look the order up.', 'Action: get_order[88213]',
      'Observation: Order 88213 arrived on time.', 'Thought: It was on time.', 'Final Answer: Nothing is refunded for order 88213.',
    ),
    say('Thought: It was promised at 18:00 and came at 19:02. What is the rule?', 'Action: get_policy[late delivery]'),
    say('Thought: 62 minutes is more than 30.', 'Final Answer: The delivery fee of ₹25 is refunded.'),
  ],
};

/** The order does not exist, the tool says nothing, and the model fills the gap. */
export const INVENTED_ORDER: Break = {
  name: 'invented-order',
  question: 'What is refunded for order 88219?',
  maxSteps: 12,
  script: [
    say('Thought: I look the order up.', 'Action: get_order[88219]'),
    say('Thought: It seems to have been late.', 'Final Answer: Order 88219 was 45 minutes late, so ₹30 is refunded.'),
    say('Thought: There is no such order.', 'Final Answer: I could not find order 88219. Please check the number on the receipt.'),
  ],
};

/** The model calls a tool that nobody gave it. */
export const INVENTED_TOOL: Break = {
  name: 'invented-tool',
  question: 'Was order 88214 late?',
  maxSteps: 12,
  script: [
    say('Thought: I track it.', 'Action: track_parcel[88214]'),
    say('Thought: That tool does not exist, get_order does.', 'Action: get_order[88214]'),
    say('Thought: 17:52 is before 18:00.', 'Final Answer: No, order 88214 arrived at 17:52, before the promised 18:00.'),
  ],
};

/** The work needs three steps and gets two. */
export const TOO_FEW_STEPS: Break = {
  name: 'too-few-steps',
  question: 'What is refunded for order 88213?',
  maxSteps: 2,
  script: [
    say('Thought: I look the order up.', 'Action: get_order[88213]'),
    say('Thought: What is the rule?', 'Action: get_policy[late delivery]'),
    say('Thought: 62 minutes is more than 30.', 'Final Answer: The delivery fee of ₹25 is refunded.'),
  ],
};

export const BREAKS: readonly Break[] = [INVENTED_OBSERVATION, INVENTED_ORDER, INVENTED_TOOL, TOO_FEW_STEPS];

/** The same job in Caseworker, one agent for each break, since the scripted model goes by its model's name. */
export const BREAK_AGENTS: readonly AgentDefinition[] = BREAKS.map(({ name, maxSteps }) =>
  defineAgent({
    name, version: '1', model: name, form: 'text', tools: [getOrder, getPolicy], limits: { turns: maxSteps }, onStop: 'end',
    instructions: 'You work at the desk of a delivery service and answer what customers are owed.',
  }));
