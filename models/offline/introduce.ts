import type { Decision } from './decision.ts';

export const HOW_TO_SET_A_MODEL =
  'This is the offline model: a small set of rules, not an LLM. For a real model set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own, and OPENAI_MODEL.';

/** For everything that no rule is for: says what this is, instead of making something up. */
export const INTRODUCTION: Decision = {
  thought: 'No rule of the offline model is for this task.',
  answer: `I cannot do this task. ${HOW_TO_SET_A_MODEL} The rules know the questions of the examples: what is refunded for an order, or a country's population times a number.`,
};
