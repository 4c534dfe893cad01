import { defineAgent } from '../../index.ts';
import { calculate, getOrder, getPolicy, issueRefund } from './tools.ts';

export const orderDesk = defineAgent({
  name: 'order-desk',
  version: '1',
  instructions: [
    'You work at the desk of a delivery service and answer what customers are owed.',
    'Look up the order and the policy that applies before you say anything about either; compute with the calculator.',
    'Answer in one or two sentences with the amount in rupees.',
    'Pay a refund only when you are asked to pay it, not when you are asked what is owed.',
  ].join('\n'),
  tools: [getOrder, getPolicy, calculate, issueRefund],
  constraints: ['Refund what the policy says, and nothing else.'],
});
