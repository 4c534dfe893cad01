import { z } from 'zod';
import { defineTool } from '../../index.ts';
import { calculate as compute } from './calculate.ts';
import { findRefund, payRefund } from './ledger.ts';
import { findOrder, orderNumber } from './orders.ts';
import { findPolicy, POLICY_TOPICS } from './policies.ts';

const orderId = z.string().min(1).max(40).describe('The number on the receipt, e.g. 90001');

export const getOrder = defineTool({
  name: 'get_order',
  description: 'Status, promised and actual time of delivery, price and delivery fee of one order.',
  input: z.object({ order_id: orderId }),
  effect: 'read',
  ids: { order_id: 'order' },
  emptyText: ({ order_id }) => `No order with id ${order_id} exists. Ask the customer for the number on the receipt.`,
  run: ({ order_id }) => findOrder(order_id),
});

export const getPolicy = defineTool({
  name: 'get_policy',
  description: `What the desk may do, by topic: ${POLICY_TOPICS.join(', ')}.`,
  input: z.object({ topic: z.string().min(1).max(200).describe('What it is about, e.g. late delivery') }),
  effect: 'read',
  emptyText: ({ topic }) => `There is no policy on "${topic}". The topics are: ${POLICY_TOPICS.join(', ')}.`,
  run: ({ topic }) => findPolicy(topic),
});

export const calculate = defineTool({
  name: 'calculate',
  description: 'The exact value of an arithmetic expression: numbers, + - * / % and brackets.',
  input: z.object({ expression: z.string().min(1).max(300).describe('e.g. (480 + 25) * 2') }),
  effect: 'read',
  run: ({ expression }) => compute(expression),
});

export const issueRefund = defineTool({
  name: 'issue_refund',
  description: 'Pays money back for one order. A person has to approve it.',
  input: z.object({
    order_id: orderId,
    amount: z.number().positive().describe('Rupees'),
    reason: z.string().max(500).optional(),
  }),
  effect: 'once',
  ids: { order_id: 'order' },
  summary: ({ order_id, amount }) => `Refund ₹${amount} for order ${orderNumber(order_id)}`,
  amount: ({ amount }) => `${amount} INR`,
  // An order is refunded once, whichever run or turn asks for it.
  key: ({ order_id }) => `order-${orderNumber(order_id)}`,
  lookup: async ({ order_id }) => {
    const paid = await findRefund(orderNumber(order_id));
    return paid ? { happened: true, result: paid } : { happened: false };
  },
  run: async ({ order_id, amount, reason }, { idempotencyKey }) => {
    const order = findOrder(order_id);
    if (!order) throw new Error(`No order with id ${order_id} exists, so nothing was refunded.`);
    await payRefund({ order_id: order.order_id, amount, ...(reason ? { reason } : {}), key: idempotencyKey });
    return `Refunded ₹${amount} for order ${order.order_id}.`;
  },
});
