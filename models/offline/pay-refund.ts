import type { JsonObject } from '../../core/json.ts';
import { decideCalls, handOver, typed } from './decision.ts';
import type { Decision, WantedCall } from './decision.ts';
import type { OfferedTool } from './offered-tools.ts';
import type { OrderCase } from './order-desk.ts';
import { owedBy } from './owed.ts';
import { owedSentence } from './order-sentences.ts';
import type { PastCall } from './past-calls.ts';
import type { View } from './view.ts';

/** Pays what is owed, each order once; `undefined` when nothing is owed. A refund that did not go through goes to a person. */
export function payDecision(view: View, tool: OfferedTool, cases: readonly OrderCase[]): Decision | undefined {
  const due = cases.filter((order) => !order.trouble && owedBy(order).amount > 0);
  if (due.length === 0) return undefined;
  const paid = due.map((order) => ({ order, past: view.past.findLast((past) => isPaymentOf(past, tool, order.id)) }));
  const open = paid.filter(({ past }) => past === undefined);
  if (open.length > 0) {
    const why = open.map(({ order }) => owedSentence(order).because).join(' ');
    return decideCalls(view, `${why} The task asks for the payment.`, open.map(({ order }) => payment(tool, order)));
  }
  const failed = paid.find(({ past }) => past?.status !== 'ok');
  if (failed) {
    const { order, past } = failed;
    return handOver(view, `The refund of order ${order.id} did not go through.`, `₹${owedBy(order).amount} are due for order ${order.id} and are not paid. ${past?.text ?? ''}`.trim());
  }
  return { thought: 'The refund went through.', answer: paid.map(({ order, past }) => `${past?.text ?? ''} ${owedSentence(order).text}`.trim()).join(' ') };
}

function isPaymentOf({ tool, args }: PastCall, { name }: OfferedTool, id: string): boolean {
  return tool === name && Object.values(args).some((value) => value === id || value === Number(id));
}

function payment(tool: OfferedTool, order: OrderCase): WantedCall {
  const fields = Object.keys(tool.fields);
  const named = (pattern: RegExp) => fields.find((name) => pattern.test(name));
  const [id, amount, reason] = [named(/order|id/i) ?? 'order_id', named(/amount|sum/i) ?? 'amount', named(/reason|note/i)];
  const args: JsonObject = {
    [id]: typed(tool, id, order.id),
    [amount]: typed(tool, amount, String(owedBy(order).amount)),
    ...(reason === undefined ? {} : { [reason]: `Delivered ${order.minutesLate ?? 0} minutes late; delivery policy.` }),
  };
  return { tool: tool.name, args };
}
