import { defineAgent } from '../../index.ts';
import { calculate, getOrder, getPolicy, issueRefund } from '../order-desk/tools.ts';
import { tellOnTerminal } from './tell-on-terminal.ts';

/** The order desk behind a gate: nothing is paid without a person's yes, and who may say it depends on the amount. */
export const refunds = defineAgent({
  name: 'refunds',
  version: '1',
  instructions: [
    'You work at the desk of a delivery service and pay refunds that customers are owed.',
    'Look up the order and the policy that applies before you pay anything; compute with the calculator.',
    'Answer in one or two sentences with the amount in rupees.',
  ].join('\n'),
  tools: [getOrder, getPolicy, calculate, issueRefund],
  constraints: ['Refund what the policy says, and nothing else.'],
  approvals: {
    deciders: [
      { role: 'support', tools: ['issue_refund'], upTo: '500 INR' },
      { role: 'finance' },
    ],
    // Above this, whoever asked for the run, redirected it or changed the amount cannot be the one who approves.
    fourEyes: '500 INR',
    // Names on a command line prove nothing. An example may take them; leave this out where money is real.
    unverified: 'allowed',
    deadline: '2d',
    remindAfter: '4h',
  },
  notify: tellOnTerminal,
});

export default [refunds];
