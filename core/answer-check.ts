import type { ToolFacts } from './agent.ts';
import { amountsIn, isZero } from './amounts.ts';
import { claimsOf } from './claims.ts';
import { hasAmount, hasId } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import { idsIn } from './ids-in-text.ts';
import type { AnswerProblem, Item } from './transcript.ts';

export interface AnswerContext {
  readonly evidence: Evidence;
  readonly tools: readonly ToolFacts[];
  readonly items: readonly Item[];
}

/** Words near an id that say that it was not found: then naming it is the finding, not a slip. */
const SAYS_NOT_FOUND = /\b(?:no|not|none|nothing|cannot|can't|couldn't|could not|doesn't|isn't|unable|missing|unknown|invalid|without)\b|not found/i;

/** What an answer says that the evidence of the run does not carry. Derived amounts need a tool that computed them. */
export function answerProblems(answer: string, { evidence, tools, items }: AnswerContext): readonly AnswerProblem[] {
  const amounts = amountsIn(answer).filter(({ number }) => !isZero(number) && !hasAmount(evidence, number));
  const effects = tools.filter(({ effect, name }) => effect !== 'read' && !hasSucceeded(name, items));
  return unique([
    ...idProblems(answer, evidence),
    ...amounts.map(({ written }): AnswerProblem => ({ kind: 'amount', value: written })),
    ...effects.flatMap((tool) => claimsOf(answer, tool).map((value): AnswerProblem => ({ kind: 'effect', value }))),
  ]);
}

function idProblems(answer: string, evidence: Evidence): readonly AnswerProblem[] {
  return idsIn(answer).flatMap(({ id, sentence }): AnswerProblem[] => {
    if (evidence.notFound.has(id.toLowerCase())) return SAYS_NOT_FOUND.test(sentence) ? [] : [{ kind: 'not_found', value: id }];
    return hasId(evidence, id) ? [] : [{ kind: 'id', value: id }];
  });
}

function hasSucceeded(tool: string, items: readonly Item[]): boolean {
  return items.some((item) => item.type === 'observation' && item.tool === tool && item.status === 'ok');
}

function unique(problems: readonly AnswerProblem[]): readonly AnswerProblem[] {
  return problems.filter((one, i) => problems.findIndex(({ kind, value }) => kind === one.kind && value === one.value) === i);
}
