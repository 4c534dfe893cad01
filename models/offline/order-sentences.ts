import type { OrderCase } from './order-desk.ts';
import { owedBy, whatIsRefunded } from './owed.ts';
import type { Owed } from './owed.ts';
import { rulesFor } from './refund-policy.ts';

/** What is owed for an order, in a sentence for people, and the ground for it. */
export function owedSentence(order: OrderCase): { readonly text: string; readonly because: string } {
  if (order.trouble) return { text: notFound(order.id), because: `The look-up found no order ${order.id}.` };
  const owed = owedBy(order);
  return { text: SENTENCES[owed.reason](order, owed), because: `Order ${order.id}: ${BECAUSE[owed.reason]}` };
}

function notFound(id: string): string {
  return `No order ${id} was found, so nothing can be said about it. Please ask the customer for the number on the receipt.`;
}

const BECAUSE: Record<Owed['reason'], string> = {
  late: 'it was late enough for the policy.',
  in_time: 'it was not late enough for the policy.',
  no_fee: 'it was late, but there is nothing to refund.',
  not_delivered: 'it was not delivered, so the policy for late deliveries does not apply.',
  no_rule: 'no policy says what to refund.',
};

const SENTENCES: Record<Owed['reason'], (order: OrderCase, owed: Owed) => string> = {
  late: (order, { amount, rule }) =>
    `The refund due for order ${order.id} is ₹${amount} in total: ${rule ? whatIsRefunded(rule) : ''}. ${howLate(order)}, ` +
    `and the policy allows it for more than ${rule?.overMinutes ?? ''} minutes, and nothing else.`,
  in_time: (order, { rule }) =>
    `₹0 is due for order ${order.id}: ${howLate(order, 'it')}, and the policy asks for more than ${rule?.overMinutes ?? ''} minutes.`,
  no_fee: (order, { rule }) =>
    `₹0 is due for order ${order.id}: ${howLate(order, 'it')}, but the policy allows only ${rule ? whatIsRefunded(rule) : ''}, and none was charged.`,
  not_delivered: ({ id, facts, policy }) =>
    `₹0 is due for order ${id} now: it is ${facts?.status || 'not delivered'}. ${policy === undefined ? '' : rulesFor(policy, facts?.status ?? '')}`.trim(),
  no_rule: ({ id }) => `I cannot say what is due for order ${id}: no policy that I can read decides it. A person should look at it.`,
};

function howLate({ facts, minutesLate = 0 }: OrderCase, subject = 'It'): string {
  const times = `(promised ${facts?.promised?.text ?? 'at an unknown time'}, delivered ${facts?.delivered?.text ?? 'at an unknown time'})`;
  return minutesLate > 0 ? `${subject} arrived ${minutesLate} minutes late ${times}` : `${subject} arrived in time ${times}`;
}

/** What the record says of an order. */
export function factsSentence(order: OrderCase): string {
  const { id, facts, trouble } = order;
  if (trouble || !facts) return notFound(id);
  const when = facts.delivered ? `${howLate(order, 'it')}` : facts.promised ? `it is promised for ${facts.promised.text}` : '';
  const money = [facts.price === undefined ? '' : `the price is ₹${facts.price}`, facts.fee === undefined ? '' : `the delivery fee ₹${facts.fee}`];
  return `Order ${id} is ${facts.status || 'on record'}: ${[when, ...money].filter((part) => part !== '').join(', ')}.`;
}
