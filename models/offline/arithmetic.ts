import { callWith, decideCalls, toolFor } from './decision.ts';
import type { Skill } from './decision.ts';
import { want } from './want.ts';

const EXPRESSION = /[(\d][\d.,()+*/%\s-]{0,200}[+*/%-][\d.,()+*/%\s-]{0,200}[\d)]/;

/** A task that is nothing but arithmetic, for the calculator. */
export const arithmetic: Skill = (view) => {
  const calculator = toolFor(view, /^calc/i);
  const expression = EXPRESSION.exec(view.goal)?.[0].trim();
  if (!calculator || expression === undefined) return undefined;
  const result = want(view, callWith(calculator, expression));
  if ('call' in result) return decideCalls(view, 'This is arithmetic: the calculator knows.', [result.call]);
  return { thought: 'The calculator has answered.', answer: result.ok ? `${expression} = ${result.text}` : result.text };
};
