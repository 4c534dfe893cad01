import { BUILT_IN } from '../../core/names.ts';
import { callWith, decideCalls, handOver, offered, toolFor } from './decision.ts';
import type { Decision, Skill, WantedCall } from './decision.ts';
import type { OfferedTool } from './offered-tools.ts';
import { hasFacts, isAfter, minutesBetween, minutesFrom, orderFacts } from './order-facts.ts';
import type { OrderFacts } from './order-facts.ts';
import { orderQuestion } from './order-question.ts';
import type { OrderQuestion } from './order-question.ts';
import { factsSentence, owedSentence } from './order-sentences.ts';
import { owedBy } from './owed.ts';
import { payDecision } from './pay-refund.ts';
import { otherTopics, topicFor } from './policy-topic.ts';
import { lateRule, speaksOf } from './refund-policy.ts';
import type { View } from './view.ts';
import { want } from './want.ts';
import type { Known } from './want.ts';

/** Tools of a desk that answers for orders. */
export interface Desk {
  readonly order: OfferedTool;
  readonly policy?: OfferedTool;
  readonly calculator?: OfferedTool;
  readonly pay?: OfferedTool;
}

/** An order as far as the rules have come with it: calls that are still needed, or a case to answer. */
type Progress = { readonly calls: readonly WantedCall[]; readonly why: string } | OrderCase;

export interface OrderCase {
  readonly id: string;
  /** Why there are no facts: not found, or the look-up failed. */
  readonly trouble?: { readonly kind: 'missing' | 'failed'; readonly text: string };
  readonly facts?: OrderFacts;
  readonly policy?: string;
  readonly minutesLate?: number;
}

/** Refund and delivery questions: look up the order and the policy, compute how late it was, answer by the policy's text. */
export const orderDesk: Skill = (view) => {
  const desk = deskOf(view);
  const question = desk && orderQuestion(view.goal, view.persons);
  if (!desk || !question) return undefined;
  if (question.about === 'policy' && desk.policy) return answerPolicy(view, desk.policy);
  if (question.ids.length === 0) return askForNumber(view);
  const progress = question.ids.map((id) => orderProgress(view, desk, { id, question }));
  const open = progress.flatMap((each) => ('calls' in each ? [each] : []));
  if (open.length > 0) return decideCalls(view, open.map(({ why }) => why).join(' '), open.flatMap(({ calls }) => calls));
  return answerCases(view, desk, { question, cases: progress.flatMap((each) => ('calls' in each ? [] : [each])) });
};

function deskOf(view: View): Desk | undefined {
  const order = toolFor(view, /^(?:get|find|read|look_?up|fetch)_?order/i);
  if (!order) return undefined;
  const [policy, calculator, pay] = [toolFor(view, /policy/i), toolFor(view, /^calc/i), toolFor(view, /refund/i)];
  return { order, ...(policy ? { policy } : {}), ...(calculator ? { calculator } : {}), ...(pay ? { pay } : {}) };
}

function askForNumber(view: View): Decision {
  const question = 'Which order is it? Please give the order number from the receipt.';
  const asked = view.past.some(({ tool }) => tool === BUILT_IN.askPerson);
  if (asked || !offered(view, BUILT_IN.askPerson)) {
    return { thought: 'There is still no order number, so nothing can be looked up.', answer: 'I cannot look anything up without an order number. Please send the number on the receipt.' };
  }
  return decideCalls(view, 'The task names no order number, and no tool can find it: a person has to say it.', [
    { tool: BUILT_IN.askPerson, args: { question } },
  ]);
}

function orderProgress(view: View, desk: Desk, { id, question }: { id: string; question: OrderQuestion }): Progress {
  const record = want(view, callWith(desk.order, id, /id|number|order/i), hasFacts);
  if ('call' in record) {
    const policy = desk.policy && question.about === 'refund' ? policyKnown(view, desk.policy, { status: '', goal: view.goal }) : undefined;
    const calls = [record.call, ...(policy && 'call' in policy ? [policy.call] : [])];
    return { calls, why: `I need the record of order ${id}${calls.length > 1 ? ' and the policy that applies' : ''}.` };
  }
  if (!record.ok) return { id, trouble: { kind: record.status === 'empty' ? 'missing' : 'failed', text: record.text } };
  const facts = orderFacts(record.text);
  const policy = desk.policy && question.about === 'refund' ? policyKnown(view, desk.policy, { status: facts.status, goal: view.goal }) : undefined;
  if (policy && 'call' in policy) return { calls: [policy.call], why: `Order ${id} is ${facts.status || 'known'}; I need the policy for that.` };
  return withMinutes(view, desk, { id, facts, ...(policy?.ok ? { policy: policy.text } : {}) });
}

/** The policy for an order in this state ('' while it is not known). One that was read already and is for it is enough. */
function policyKnown(view: View, tool: OfferedTool, { status, goal }: { readonly status: string; readonly goal: string }): Known {
  const isForIt = (text: string) => (status === '' || status === 'delivered' ? lateRule(text) !== undefined : speaksOf(text, status));
  const read = view.past.findLast((past) => past.tool === tool.name && past.status === 'ok' && isForIt(past.text));
  if (read) return { ok: true, status: 'ok', text: read.text };
  const topic = topicFor(tool, status, goal);
  const first = want(view, callWith(tool, topic), isForIt);
  if ('call' in first || first.ok) return first;
  const [other] = otherTopics(first.text, [topic]);
  return other === undefined ? first : want(view, callWith(tool, other), isForIt);
}

function withMinutes(view: View, desk: Desk, known: OrderCase & { readonly facts: OrderFacts }): Progress {
  const { promised, delivered } = known.facts;
  if (!promised || !delivered) return known;
  if (!isAfter(delivered, promised)) return { ...known, minutesLate: 0 };
  if (!desk.calculator) return { ...known, minutesLate: minutesFrom(promised, delivered) };
  const result = want(view, callWith(desk.calculator, minutesBetween(promised, delivered)));
  if ('call' in result) {
    const why = `Order ${known.id} was promised for ${promised.text} and delivered at ${delivered.text}: how many minutes late is that?`;
    return { calls: [result.call], why };
  }
  const minutes = result.ok ? Number(/-?\d+(?:\.\d+)?/.exec(result.text)?.[0]) : Number.NaN;
  return { ...known, minutesLate: Number.isNaN(minutes) ? minutesFrom(promised, delivered) : minutes };
}

interface Answering {
  readonly question: OrderQuestion;
  readonly cases: readonly OrderCase[];
}

function answerCases(view: View, desk: Desk, { question, cases }: Answering): Decision {
  const failed = cases.find(({ trouble }) => trouble?.kind === 'failed');
  if (failed) return handOver(view, `Order ${failed.id} could not be looked up.`, `The record of order ${failed.id} could not be read: ${failed.trouble?.text ?? ''}`);
  if (question.about === 'facts') {
    return { thought: 'The record says what was asked.', answer: cases.map(factsSentence).join(' ') };
  }
  const owing = cases.filter(({ trouble }) => !trouble).map(owedBy);
  const amounts = owing.map(({ amount }) => amount).filter((amount) => amount > 0);
  const sums = openSums(view, desk, [...owing.map(({ parts }) => parts), amounts]);
  if (sums.length > 0) return decideCalls(view, 'Several amounts are due; the calculator adds them up.', sums);
  const payment = question.pays && desk.pay ? payDecision(view, desk.pay, cases) : undefined;
  if (payment) return payment;
  const owed = cases.map(owedSentence);
  const together = amounts.length > 1 ? [`Together that is ₹${amounts.reduce((sum, amount) => sum + amount, 0)}.`] : [];
  return { thought: owed.map(({ because }) => because).join(' '), answer: [...owed.map(({ text }) => text), ...together].join(' ') };
}

/** Sums are computed by the tool first: an amount that nothing in the run has said may not stand in an answer. */
function openSums(view: View, { calculator }: Desk, sums: readonly (readonly number[])[]): readonly WantedCall[] {
  if (!calculator) return [];
  return sums.filter((parts) => parts.length > 1).flatMap((parts) => {
    const sum = want(view, callWith(calculator, parts.join(' + ')));
    return 'call' in sum ? [sum.call] : [];
  });
}

function answerPolicy(view: View, tool: OfferedTool): Decision {
  const known = want(view, callWith(tool, topicFor(tool, '', view.goal)));
  if ('call' in known) return decideCalls(view, 'The question is about the policy itself.', [known.call]);
  return { thought: 'The policy answers the question.', answer: known.text };
}
