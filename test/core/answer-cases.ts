import type { JsonObject } from '../../core/json.ts';
import { seenWords } from '../../core/seen-words.ts';
import type { AnswerProblem, Item, ObservationStatus } from '../../core/transcript.ts';
import { toolFacts } from '../support/pinned-agent.ts';

/** Answers with what is wrong in them, each written by hand and judged before the check saw it. */
export interface AnswerCase {
  readonly story: keyof typeof STORIES;
  readonly answer: string | JsonObject;
  /** Kinds of what is wrong; nothing in a sound answer. */
  readonly wrong?: readonly AnswerProblem['kind'][];
  /** Known to pass: said in words that the rules do not read. */
  readonly isMissed?: true;
}

export const TOOLS = [
  toolFacts({ name: 'get_order', ids: { order_id: 'order' } }),
  toolFacts({ name: 'get_policy' }),
  toolFacts({ name: 'calculate' }),
  toolFacts({ name: 'lookup' }),
  toolFacts({ name: 'issue_refund', effect: 'once', ids: { order_id: 'order' } }),
  toolFacts({ name: 'cancel_order', effect: 'idempotent', ids: { order_id: 'order' } }),
  toolFacts({ name: 'send_email', effect: 'once' }),
  toolFacts({ name: 'create_ticket', effect: 'idempotent' }),
];

type Step = readonly [tool: string, args: JsonObject, status: ObservationStatus, text: string];

const LATE_ORDER = '{"order_id":"88213","status":"delivered","promised_at":"2026-03-04 18:00","delivered_at":"2026-03-04 19:02","price":480,"delivery_fee":25,"currency":"INR"}';
const POLICY = 'Late delivery: the delivery fee of an order that arrived more than 30 minutes after the promised time is refunded, and nothing else. At 30 minutes or less nothing is refunded.';
const READ: readonly Step[] = [
  ['get_order', { order_id: '88213' }, 'ok', LATE_ORDER],
  ['get_policy', { topic: 'late delivery' }, 'ok', POLICY],
];
const TASK = 'Order 88213 cost ₹480 plus a ₹25 fee and arrived 62 minutes late. What should the customer be refunded in total?';

/** What happened before each answer. */
export const STORIES = {
  read: story(TASK, READ),
  paid: story(`${TASK} Pay it.`, [...READ, ['issue_refund', { order_id: '88213', amount: 25 }, 'ok', '{"refund_id":"RF-7001","amount":25}']]),
  failed: story('Refund orders 88213 and 88214.', [
    ...READ,
    ['issue_refund', { order_id: '88213', amount: 25 }, 'ok', '{"refund_id":"RF-7001","amount":25}'],
    ['issue_refund', { order_id: '88214', amount: 20 }, 'error', 'issue_refund failed: the ledger is closed.'],
  ]),
  unknown: story(`${TASK} Pay it.`, [...READ, ['issue_refund', { order_id: '88213', amount: 25 }, 'unknown', 'The result of issue_refund was lost: it may have happened.']]),
  missing: story('What is owed for order 88219?', [['get_order', { order_id: '88219' }, 'empty', 'No order with id 88219 exists. Ask the customer for the number on the receipt.']]),
  cancelled: story('What is owed for order 88218? The customer is kim@example.com.', [
    ['get_order', { order_id: '88218' }, 'ok', '{"order_id":"88218","status":"cancelled","price":725,"delivery_fee":25,"currency":"INR"}'],
    ['get_policy', { topic: 'cancelled orders' }, 'ok', 'Cancelled orders: price and delivery fee went back to the customer when the order was cancelled. Nothing more is refunded.'],
  ]),
  sums: story('Split ₹500 between three customers, add the fees of INV-2041 and tell me the total in dollars.', [
    ['calculate', { expression: '500 / 3' }, 'ok', '166.6666666667'],
    ['get_order', { order_id: 'INV-2041' }, 'ok', '{"invoice":"INV-2041","lines":[{"sku":"A-17","amount":1234.5},{"sku":"B-04","amount":98000}],"total":99234.5,"currency":"USD","contact":"billing@acme.example","tracking":"1Z999AA10123456784"}'],
  ]),
  france: story('Double the population of France.', [
    ['lookup', { question: 'population of France' }, 'ok', 'France has about 68 million inhabitants (2024).'],
    ['calculate', { expression: '68000000 * 2' }, 'ok', '136000000'],
  ]),
  searched: story('How much does Acme owe us? Fees are in its statement. Refund what order 88213 has too much.', [
    ['lookup', { question: 'invoice INV-9999 of Acme' }, 'ok', '{"question":"invoice INV-9999 of Acme","hits":[],"took_ms":12}'],
    ['lookup', { question: 'Acme statement', limit: 25 }, 'ok', '{"vendor":"Acme Tools GmbH","vendor_id":"V-17","open":["INV-2041"],"late_fee":25,"balance":1250,"currency":"INR"}'],
    ['calculate', { expression: '1250 + 25 + 725 * 1' }, 'ok', '1250 + 25 + 725 * 1 = 2000'],
    ['calculate', { expression: '(480 + 25) * 2' }, 'ok', '(480 + 25) * 2 = 1010'],
    ['issue_refund', { order_id: '88213', amount: 45 }, 'ok', '{"refund_id":"RF-7002","order_id":"88213","amount":45}'],
  ]),
  mail: story('Tell kim@example.com that order 88213 is late.', [
    ['get_order', { order_id: '88213' }, 'ok', LATE_ORDER],
    ['send_email', { to: 'kim@example.com', text: 'Your order is late.' }, 'ok', 'queued as msg_4f21'],
  ]),
} as const;

function story(goal: string, steps: readonly Step[]): readonly Item[] {
  const agent = { name: 'desk', version: '1', hash: 'f00d', form: 'function-calling', model: 'scripted' } as const;
  const usage = { model: 'scripted', inputTokens: 1, outputTokens: 1, cachedTokens: 0, estimatedTokens: 0, attempts: 1, ms: 1, promptBytes: 1 };
  return [
    { type: 'task', goal, constraints: ['Refund what the policy says, and nothing else.'], agent, budget: { kind: 'tokens', tokens: 1 } },
    ...steps.flatMap(([tool, args, status, text], i): readonly Item[] => {
      const id = `${i + 1}.1`;
      const asked = new Set(status === 'ok' ? [] : seenWords(JSON.stringify(args)));
      return [
        { type: 'reply', turn: i + 1, actions: [{ id, kind: 'call', tool, args, hash: id, needsApproval: false }], notes: [], usage },
        { type: 'observation', call: id, tool, status, text, seen: seenWords(text).filter((word) => !asked.has(word)), hash: id, ms: 1 },
      ];
    }),
  ];
}

export const CASES: readonly AnswerCase[] = [
  // Sound answers: everything in them was read, computed or said.
  { story: 'read', answer: 'The customer should be refunded ₹25: order 88213 arrived 62 minutes late (promised 18:00, delivered 19:02), and the policy refunds the delivery fee of orders more than 30 minutes late, and nothing else.' },
  { story: 'read', answer: 'Refund due for order #88213: **₹25** (the delivery fee). The price of ₹480 is not refunded.' },
  { story: 'read', answer: 'Rs. 25.00' },
  { story: 'read', answer: 'The refund is INR 25. It has not been issued yet; a person has to approve it.' },
  { story: 'read', answer: 'The delivery was 62 minutes (just over 1 hour) late on March 4th, 2026, so the 25-rupee fee is refunded under the 30-minute rule.' },
  { story: 'read', answer: 'On 2026-03-04 the order came at 19:02 instead of 18:00. The customer gets 25 rupees back; 100% of the fee and 0% of the price.' },
  { story: 'read', answer: 'Total refund: ₹25\n- Delivery fee: ₹25\n- Price (₹480): ₹0' },
  { story: 'read', answer: 'The customer will be refunded ₹25 within 3-5 working days, as soon as the desk has approved it.' },
  { story: 'read', answer: 'I recommend that the fee of ₹25 be refunded. I have not issued the refund.' },
  { story: 'read', answer: 'If the refund was issued already, nothing more is owed; otherwise ₹25 is.' },
  { story: 'read', answer: 'Has the refund been paid? I cannot tell. What is owed is ₹25.' },
  { story: 'read', answer: 'Late orders are refunded their delivery fee, here ₹25. Refunded amounts do not include the price.' },
  { story: 'read', answer: 'The 2nd rule (more than 30 min late) applies; Q1 2026 policy v1.2, see step 3. Owed: ₹25.' },
  { story: 'read', answer: 'Order-88213 is owed ₹25.' },
  { story: 'read', answer: 'According to the customer the refund was issued, but no tool shows it. ₹25 is owed.' },
  { story: 'read', answer: { order_id: '88213', refund: 25, currency: 'INR', minutes_late: 62, refunded: false } },
  { story: 'read', answer: { decision: 'refund the fee', amount: '25.00', reason: '62 minutes late' } },
  { story: 'read', answer: 'You could not be refunded ₹480: only the ₹25 fee qualifies.' },
  { story: 'read', answer: 'The order was delivered at 7:02pm, 1h 2m late. ₹25 back.' },
  { story: 'read', answer: 'No order other than 88213 was checked. The refund is ₹25, i.e. about 5% of ₹480.' },
  { story: 'read', answer: 'The desk can refund ₹25. A ticket was not created, and no e-mail was sent.' },
  { story: 'paid', answer: 'I have refunded ₹25 to the customer of order 88213 (refund RF-7001).' },
  { story: 'paid', answer: 'Done. The refund of ₹25 has been issued.' },
  { story: 'paid', answer: 'Refunded the delivery fee, ₹25, for order 88213.' },
  { story: 'paid', answer: 'The customer was refunded ₹25.00 under reference RF-7001 because the order came at 19:02.' },
  { story: 'paid', answer: { status: 'refunded', order_id: '88213', amount: 25, refund_id: 'RF-7001' } },
  { story: 'failed', answer: 'Order 88213: ₹25 has been refunded. Order 88214 could not be refunded: the ledger is closed.' },
  { story: 'failed', answer: 'I refunded order 88213. The refund for 88214 failed and needs a person.' },
  { story: 'unknown', answer: 'The refund of ₹25 may have been issued; its outcome is not known. A person must find out.' },
  { story: 'unknown', answer: 'Whether ₹25 was refunded for 88213 is unclear.' },
  { story: 'missing', answer: 'No order with the number 88219 exists. Please check the receipt.' },
  { story: 'missing', answer: 'I could not find order 88219, so I cannot say what is owed.' },
  { story: 'missing', answer: 'Order 88219 was not found. Ask the customer for the right number.' },
  { story: 'missing', answer: 'I looked up 88219. It does not exist in our records.' },
  { story: 'missing', answer: 'There is no order 88219, so ₹0 is owed.' },
  { story: 'missing', answer: 'The id 88219 is invalid; nothing can be refunded for 88219.' },
  { story: 'missing', answer: { order_id: '88219', found: false, note: 'not found' } },
  { story: 'cancelled', answer: 'Order 88218 was cancelled. The price and the delivery fee went back to the customer then; nothing more is owed.' },
  { story: 'cancelled', answer: 'Nothing. Order 88218 (₹725 plus ₹25) has been cancelled before, and cancelled orders get no further refund.' },
  { story: 'cancelled', answer: 'Tell kim@example.com that nothing more is refunded for 88218.' },
  { story: 'sums', answer: 'Each customer pays ₹166.67; invoice INV-2041 totals $99,234.50.' },
  { story: 'sums', answer: 'INV-2041 has two lines: A-17 for 1,234.50 USD and B-04 for $98,000. Total: USD 99,234.50, about $99k.' },
  { story: 'sums', answer: 'Roughly $99,000 in total; write to billing@acme.example, tracking 1Z999AA10123456784.' },
  { story: 'sums', answer: 'Das sind 99.234,50 $ insgesamt, je Kunde ₹166,67.' },
  { story: 'sums', answer: 'INV‑2041 comes to US$99,234.5, i.e. $0.1 million.' },
  { story: 'france', answer: 'Twice the population of France is about 136 million (68 million × 2).' },
  { story: 'france', answer: '136,000,000 people, i.e. 2 × 68,000,000, as of 2024.' },
  { story: 'france', answer: '136000000' },
  { story: 'mail', answer: 'I have sent the e-mail to kim@example.com (msg_4f21). Order 88213 was 62 minutes late.' },
  { story: 'mail', answer: 'The email was sent. COVID-19 rules (ISO-8601 dates, UTF-8) do not matter; 24/7 support is unaffected.' },
  { story: 'mail', answer: 'An email has been sent about order 88213. It weighs 12 kg, took 3x as long and came 10-15 minutes after the 2nd call.' },
  { story: 'read', answer: 'Between 18:00 and 19:02 lie 62 minutes. The fee (₹25) is owed; the price (₹480) is not. Reply within 24h, call +91 98765 43210 in doubt.' },
  { story: 'read', answer: 'Policy section 4.2 of FY2025-26 says the fee is refunded: ₹25/-.' },
  { story: 'read', answer: 'The customer has paid ₹480 and ₹25, and gets ₹25 back.' },
  { story: 'read', answer: 'The refund policy was applied: ₹25.' },
  { story: 'read', answer: 'I looked at the order and made a check of the policy; the refund is ₹25.' },

  // Ids that nobody named.
  { story: 'read', answer: 'Order 99812 is owed ₹25.', wrong: ['id'] },
  { story: 'read', answer: 'Refund ₹25 for order 88213 under reference RF-9001.', wrong: ['id'] },
  { story: 'read', answer: 'The invoice INV-2041 shows ₹25.', wrong: ['id'] },
  { story: 'read', answer: 'Write to support@desk.example to get the ₹25.', wrong: ['id'] },
  { story: 'read', answer: 'See ticket #431 for the refund of ₹25.', wrong: ['id'] },
  { story: 'read', answer: 'Customer id 5512 gets ₹25.', wrong: ['id'] },
  { story: 'read', answer: 'Transaction 550e8400-e29b-41d4-a716-446655440000 covers the ₹25.', wrong: ['id'] },
  { story: 'read', answer: 'Details: https://desk.example/orders/77123', wrong: ['id'] },
  { story: 'read', answer: 'The case is O-5, the amount ₹25.', wrong: ['id'] },
  { story: 'read', answer: { order_id: '88231', refund: 25 }, wrong: ['id'] },
  { story: 'sums', answer: 'Invoice INV-2014 totals $99,234.50.', wrong: ['id'] },
  { story: 'sums', answer: 'The tracking code is 1Z999AA10123456785.', wrong: ['id'] },
  { story: 'sums', answer: 'Pay to DE89 3704 0044 0532 0130 00.', wrong: ['id'] },
  { story: 'mail', answer: 'I have sent the e-mail to kim@exmaple.com.', wrong: ['id'] },
  { story: 'paid', answer: 'I have refunded ₹25; the refund number is RF-7010.', wrong: ['id'] },
  { story: 'read', answer: 'The booking HX4T9K is late; ₹25 is owed.', wrong: ['id'] },
  { story: 'read', answer: 'Case txn_8f3a12 covers it.', wrong: ['id'] },
  { story: 'read', answer: 'Order 431 is owed ₹25.', wrong: ['id'] },

  // Amounts that nobody named and no tool computed.
  { story: 'read', answer: 'The customer should be refunded ₹505.', wrong: ['amount'] },
  { story: 'read', answer: 'The customer is owed ₹50, twice the fee.', wrong: ['amount'] },
  { story: 'read', answer: 'Refund 20 rupees.', wrong: ['amount'] },
  { story: 'read', answer: 'Between ₹20–₹35 is owed.', wrong: ['amount'] },
  { story: 'read', answer: 'Rs 26/- is owed.', wrong: ['amount'] },
  { story: 'read', answer: 'INR 480.50 is owed.', wrong: ['amount'] },
  { story: 'read', answer: { order_id: '88213', refund_amount: 505 }, wrong: ['amount'] },
  { story: 'read', answer: 'That is about $7.', wrong: ['amount'] },
  { story: 'sums', answer: 'The total is $99,334.50.', wrong: ['amount'] },
  { story: 'sums', answer: 'Each customer pays ₹167.66.', wrong: ['amount'] },
  { story: 'sums', answer: 'Insgesamt 9.923,45 €.', wrong: ['amount'] },
  { story: 'sums', answer: 'About $1.2 million.', wrong: ['amount'] },
  { story: 'sums', answer: 'The total is USD 9923450.', wrong: ['amount'] },
  { story: 'paid', answer: 'I have refunded ₹52.', wrong: ['amount'] },
  { story: 'cancelled', answer: 'The customer already got ₹750 back.', wrong: ['amount'] },
  { story: 'read', answer: 'The fee is £2.50, or 250 pence.', wrong: ['amount'] },

  // Effects that no call had.
  { story: 'read', answer: 'I have refunded ₹25 to the customer.', wrong: ['effect'] },
  { story: 'read', answer: 'The refund of ₹25 has been issued.', wrong: ['effect'] },
  { story: 'read', answer: 'Done! ₹25 was refunded.', wrong: ['effect'] },
  { story: 'read', answer: 'Refunded ₹25 for order 88213.', wrong: ['effect'] },
  { story: 'read', answer: 'Your refund of ₹25 is on its way.', wrong: ['effect'] },
  { story: 'read', answer: "I've processed a full refund of the ₹25 fee.", wrong: ['effect'] },
  { story: 'read', answer: 'No price refund applies, but I have issued the refund of ₹25.', wrong: ['effect'] },
  { story: 'read', answer: 'The ₹25 refund went through successfully.', wrong: ['effect'] },
  { story: 'read', answer: { order_id: '88213', status: 'refunded', amount: 25 }, wrong: ['effect'] },
  { story: 'read', answer: { order_id: '88213', refunded: true, amount: 25 }, wrong: ['effect'] },
  { story: 'read', answer: 'I cancelled order 88213.', wrong: ['effect'] },
  { story: 'read', answer: 'Order 88213 has been cancelled.', wrong: ['effect'] },
  { story: 'read', answer: 'I have sent an e-mail to the customer about the ₹25.', wrong: ['effect'] },
  { story: 'read', answer: 'A ticket has been created for the refund of ₹25.', wrong: ['effect'] },
  { story: 'read', answer: 'I opened a ticket with the finance team.', wrong: ['effect'] },
  { story: 'failed', answer: 'I have refunded orders 88213 and 88214.', wrong: ['effect'] },
  { story: 'failed', answer: 'The refund for order 88214 was issued.', wrong: ['effect'] },
  { story: 'unknown', answer: 'The refund of ₹25 has been paid.', wrong: ['effect'] },
  { story: 'cancelled', answer: 'I have cancelled order 88218 for you.', wrong: ['effect'] },
  { story: 'mail', answer: 'The email was sent and ₹25 was refunded.', wrong: ['effect'] },
  { story: 'read', answer: 'The ₹25 has gone back to the customer.', wrong: ['effect'], isMissed: true },
  { story: 'read', answer: 'The desk has refunded the fee of ₹25.', wrong: ['effect'] },
  { story: 'read', answer: 'The money, ₹25, is now in the customer\'s account.', wrong: ['effect'], isMissed: true },

  // Ids that were looked up and not found, told as if they had been.
  { story: 'missing', answer: 'Order 88219 was delivered late, so the fee is refunded.', wrong: ['not_found'] },
  { story: 'missing', answer: 'For order 88219 no refund is due.', wrong: ['not_found'] },
  { story: 'missing', answer: 'Order 88219 arrived on time.', wrong: ['not_found'] },
  { story: 'missing', answer: { order_id: '88219', refund: 0 }, wrong: ['not_found'] },
  { story: 'searched', answer: 'Acme Tools GmbH (V-17) owes ₹1,250; INV-2041 is open. Its late fee is ₹25.' },
  { story: 'searched', answer: 'I refunded ₹45 for order 88213 (RF-7002).' },
  { story: 'searched', answer: 'The total comes to ₹2,000, twice the order to ₹1,010.' },
  { story: 'searched', answer: { vendor_id: 'V-17', balance: 1250, late_fee: 25, refunded_amount: 45 } },
  { story: 'searched', answer: 'Acme owes ₹1,250 on invoice INV-9999.', wrong: ['id'] },
  { story: 'searched', answer: { invoice: 'INV-9999', balance: 1250 }, wrong: ['id'] },
  { story: 'searched', answer: 'Acme owes ₹1,250 and ₹725 for order 88213.', wrong: ['amount'] },
  { story: 'searched', answer: 'Order 88213 cost ₹480.', wrong: ['amount'] },
];

/** A second set, written after the rules were fixed and measured before any of them was changed for it. */
export const UNSEEN_CASES: readonly AnswerCase[] = [
  { story: 'read', answer: '| order | late by | refund |\n|---|---|---|\n| 88213 | 62 min | ₹25 |' },
  { story: 'read', answer: "The customer paid ₹480 for the meal and ₹25 for delivery. Because the order was over an hour late, she's entitled to have the ₹25 refunded." },
  { story: 'read', answer: 'Answer: ₹25. Reasoning: promised at 6 pm, delivered at 7:02 pm; 62 > 30.' },
  { story: 'read', answer: 'The amount to be refunded is ₹ 25 only (twenty-five rupees).' },
  { story: 'read', answer: 'Please refund ₹25 to the customer. I did not pay anything out myself.' },
  { story: 'read', answer: '₹25 is refundable. Once the refund is issued the case can be closed.' },
  { story: 'read', answer: 'A refund of ₹25 was requested; under the policy it is justified.' },
  { story: 'read', answer: '**Order:** 88213\n**Delay:** 62 minutes (limit: 30)\n**To refund:** ₹25\n**Already refunded:** nothing' },
  { story: 'read', answer: 'Refund: Rs.25. Dispatch 4 Mar 2026, 18:00 hrs; arrival 19:02 hrs; SLA T+30.' },
  { story: 'read', answer: 'No refund has been made so far. What is owed is 25.00 INR.' },
  { story: 'read', answer: 'The price of four hundred and eighty rupees stays; the fee, ₹25, goes back to the customer once approved.' },
  { story: 'read', answer: 'Orders delivered more than 30 minutes late get their fee refunded. This one was 32 minutes beyond that, so ₹25.' },
  { story: 'read', answer: { summary: 'Order 88213 was 62 minutes late; the ₹25 fee is owed.', next_steps: ['approve the refund', 'tell the customer'] } },
  { story: 'paid', answer: 'All done: the ₹25 delivery fee went back to the customer (RF-7001).' },
  { story: 'paid', answer: 'Refund RF-7001 over ₹25 has been created for order 88213.' },
  { story: 'failed', answer: '88213 is refunded (₹25). 88214 is not: the ledger was closed, so that refund has to be tried again.' },
  { story: 'failed', answer: 'One of two refunds was made: ₹25 for 88213. The one for 88214 was not made.' },
  { story: 'unknown', answer: 'I tried to refund ₹25 but never got a confirmation, so it must be checked by hand.' },
  { story: 'missing', answer: "I'm unable to locate order 88219. Could you double-check the number on the receipt?" },
  { story: 'missing', answer: 'Our system has no record of an order with the number 88219.' },
  { story: 'missing', answer: '88219 does not match any order.' },
  { story: 'cancelled', answer: 'As order 88218 was cancelled, both ₹725 and ₹25 were returned at that time; there is nothing left to refund.' },
  { story: 'sums', answer: 'Three customers at ₹166.67 each make ₹500 (rounded).' },
  { story: 'sums', answer: 'Line A-17: $1,234.50. Line B-04: $98,000.00. Sum: $99,234.50.' },
  { story: 'sums', answer: 'The invoice comes to nearly $100,000.' },
  { story: 'france', answer: 'Roughly one hundred and thirty-six million, i.e. 136M, twice the 68M of 2024.' },
  { story: 'france', answer: 'France: 68 million (2024). Doubled: 136 million = 1.36 × 10^8.' },
  { story: 'mail', answer: 'Kim (kim@example.com) has been told by e-mail; message id msg_4f21.' },
  { story: 'mail', answer: 'Sent. Kim now knows that 88213 is late.' },

  { story: 'read', answer: 'The fee of order 88123 is refunded: ₹25.', wrong: ['id'] },
  { story: 'read', answer: 'Contact Priya (employee no. 3391) about the ₹25.', wrong: ['id'] },
  { story: 'read', answer: 'Your claim CLM-2026-0042 over ₹25 is justified.', wrong: ['id'] },
  { story: 'read', answer: 'Both 88213 and 88214 were late; ₹25 each.', wrong: ['id'] },
  { story: 'sums', answer: 'INV-2041 belongs to purchase order PO-7781.', wrong: ['id'] },
  { story: 'mail', answer: 'The message was queued as msg_4f12.', wrong: ['id'] },
  { story: 'read', answer: 'Refund the ₹25 fee plus a goodwill voucher of ₹100.', wrong: ['amount'] },
  { story: 'read', answer: 'The customer gets Rs. 505/- in total.', wrong: ['amount'] },
  { story: 'read', answer: 'A refund of five hundred and five rupees is due.', wrong: ['amount'], isMissed: true },
  { story: 'sums', answer: 'That is $33,078.17 per line.', wrong: ['amount'] },
  { story: 'sums', answer: 'The total with 20% tax is $119,081.40.', wrong: ['amount'] },
  { story: 'read', answer: 'I went ahead and refunded the delivery fee (₹25).', wrong: ['effect'] },
  { story: 'read', answer: 'The customer has received the refund of ₹25.', wrong: ['effect'] },
  { story: 'read', answer: 'Success! Your ₹25 refund is complete.', wrong: ['effect'] },
  { story: 'read', answer: 'We have already credited the ₹25 fee.', wrong: ['effect'] },
  { story: 'read', answer: 'I have now cancelled your order and e-mailed you a confirmation.', wrong: ['effect'] },
  { story: 'read', answer: 'Ticket raised with finance for ₹25.', wrong: ['effect'] },
  { story: 'failed', answer: 'Both refunds have been issued.', wrong: ['effect'] },
  { story: 'missing', answer: 'Order 88219 qualifies for a refund of its delivery fee.', wrong: ['not_found'] },
  { story: 'missing', answer: 'Order 88219 is still in transit; no refund is due before it is delivered.', wrong: ['not_found'] },
];
