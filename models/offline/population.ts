import { callWith, decideCalls, toolFor } from './decision.ts';
import type { Decision, Skill, WantedCall } from './decision.ts';
import type { OfferedTool } from './offered-tools.ts';
import { want } from './want.ts';

const FACTORS: readonly (readonly [RegExp, number])[] = [
  [/\bdoubl|\btwice\b|\btwo times\b/i, 2], [/\btripl|\bthrice\b|\bthree times\b/i, 3], [/\bfour times\b/i, 4], [/\bten times\b/i, 10], [/\bquadrupl/i, 4], [/\bhalf\b|\bhalve/i, 0.5],
];

/** How many live somewhere, times a number: look it up, then multiply. */
export const population: Skill = (view) => {
  const lookUp = toolFor(view, /^look_?up|^search|population/i);
  const multiply = toolFor(view, /^(?:multiply|times|product)/i);
  if (!lookUp || !multiply) return undefined;
  const topic = topicOf(view.goal);
  if (topic === undefined) return undefined;
  const found = want(view, callWith(lookUp, topic), (text) => figureIn(text) !== undefined);
  if ('call' in found) return decideCalls(view, `I need a figure for ${topic}.`, [found.call]);
  const figure = found.ok ? figureIn(found.text) : undefined;
  if (figure === undefined) return { thought: `Nothing is known about ${topic}.`, answer: found.text };
  const factor = factorIn(view.goal);
  if (factor === undefined) return { thought: 'The look-up says it.', answer: found.text };
  const product = want(view, productCall(multiply, figure, factor));
  if ('call' in product) return decideCalls(view, `${topic}: ${figure}. That times ${factor} is what is asked.`, [product.call]);
  return answer({ topic, factor, product: product.text, isOk: product.ok });
};

function answer(found: { topic: string; factor: number; product: string; isOk: boolean }): Decision {
  const value = Number(/\d+(?:\.\d+)?/.exec(found.product.replaceAll(',', ''))?.[0]);
  if (!found.isOk || Number.isNaN(value)) return { thought: 'The product could not be computed.', answer: found.product };
  const text = value >= 1_000_000 ? `${value / 1_000_000} million (${value})` : String(value);
  return { thought: 'The product is what was asked.', answer: `About ${text}: the figure for ${found.topic} times ${found.factor}.` };
}

function productCall(tool: OfferedTool, a: number, b: number): WantedCall {
  const [first = 'a', second = 'b'] = Object.keys(tool.fields);
  return { tool: tool.name, args: { [first]: a, [second]: b } };
}

function factorIn(goal: string): number | undefined {
  const times = /\b(\d{1,6}(?:\.\d{1,6})?)\s?(?:times|x\b|×)|\btimes (\d{1,6}(?:\.\d{1,6})?)/i.exec(goal);
  if (times) return Number(times[1] ?? times[2]);
  return FACTORS.find(([word]) => word.test(goal))?.[1];
}

/** "68 million", "1,430 million" or "68,000,000". */
function figureIn(text: string): number | undefined {
  const [, number, unit = ''] = /(\d[\d,]*(?:\.\d+)?)(?:\s?(thousand|million|billion))?/i.exec(text) ?? [];
  if (number === undefined) return undefined;
  const scale = { thousand: 1e3, million: 1e6, billion: 1e9 }[unit.toLowerCase()] ?? 1;
  return Math.round(Number(number.replaceAll(',', '')) * scale);
}

/** What the task is about: "France's …", "… of France", else its last name in capitals. */
function topicOf(goal: string): string | undefined {
  const owner = /\b([A-Z][A-Za-z-]+(?: [A-Z][A-Za-z-]+)*)['’]s?\b/.exec(goal)?.[1];
  const of = /\b(?:of|in) (?:the )?([A-Za-z-]+(?: [A-Z][A-Za-z-]+)*)/.exec(goal)?.[1];
  if (owner !== undefined) return owner;
  if (of !== undefined && !/^(?:people|population|inhabitants)$/i.test(of)) return of;
  const last = [...goal.matchAll(/\b(?:of|in) (?:the )?([A-Za-z-]+)/g)].at(-1)?.[1] ?? [...goal.matchAll(/\s([A-Z][a-z-]+)/g)].at(-1)?.[1];
  return last;
}
