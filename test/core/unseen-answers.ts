import { toolFacts } from '../support/pinned-agent.ts';
import type { JsonObject } from '../../core/json.ts';
import { seenWords } from '../../core/seen-words.ts';
import type { AnswerProblem, Item, ObservationStatus } from '../../core/transcript.ts';

/** Answers from other trades than those that the rules were written with: what the rules do on text they do not know. */
export interface UnseenAnswer {
  readonly answer: string;
  /** What is wrong with it; nothing in a sound answer. */
  readonly wrong?: AnswerProblem['kind'];
  /** Known to pass. */
  readonly isMissed?: true;
}

export const OFFICE_TOOLS = [
  toolFacts({ name: 'get_invoice', ids: { invoice: 'invoice' } }),
  toolFacts({ name: 'find_customer' }),
  toolFacts({ name: 'sum' }),
  toolFacts({ name: 'send_payment', effect: 'once', ids: { invoice: 'invoice' } }),
  toolFacts({ name: 'update_address', effect: 'idempotent' }),
  toolFacts({ name: 'create_ticket', effect: 'idempotent' }),
  toolFacts({ name: 'closeAccount', effect: 'once' }),
  toolFacts({ name: 'booking.cancel', effect: 'once' }),
  toolFacts({ name: 'escalate_case', effect: 'idempotent' }),
  toolFacts({ name: 'post_journal', effect: 'once' }),
];

const INVOICE = '{"invoice":"INV-2041","vendor":"Acme Tools GmbH","po":"PO/2024/17","net":"1.234,50 €","vat_rate":"19%","due":"2024-03-31","status":"approved","phone":"+49 30 901820"}';
const CUSTOMER = '{"customer":"C9","name":"Kim Lee","email":"kim.lee@example.com","account":"8812345678901234567","plan":"Pro","since":"2019","city":"Bengaluru 560001","open_amount_usd":1250.5,"last_booking":"HX7T2Q","cancelled_bookings":["QR8811"]}';

/** What the run had seen before each answer: an invoice, a customer, a computed total, one ticket made, one look-up in vain. */
export const OFFICE_ITEMS: readonly Item[] = [
  {
    type: 'task', goal: 'Check invoice INV-2041 (1,234.50 EUR) and customer C9. Budget is $2,000. Also look at INV-3000.', constraints: ['Pay nothing above €5,000 without a person.'],
    budget: { kind: 'tokens', tokens: 1 }, agent: { name: 'office', version: '1', hash: 'f', form: 'text', model: 'm' },
  },
  ...turn(1, 'get_invoice', { invoice: 'INV-2041' }, 'ok', INVOICE),
  ...turn(2, 'find_customer', { query: 'C9' }, 'ok', CUSTOMER),
  ...turn(3, 'sum', { expression: '1234.5 * 1.19' }, 'ok', '1469.055'),
  ...turn(4, 'get_invoice', { invoice: 'INV-3000' }, 'empty', 'No invoice INV-3000 exists.'),
  ...turn(5, 'create_ticket', { title: 'Check PO' }, 'ok', 'Ticket T-77 created.'),
  ...turn(6, 'send_payment', { invoice: 'INV-2041', amount: '1469.06' }, 'error', 'send_payment failed: the bank is closed until 09:00.'),
];

function turn(number: number, tool: string, args: JsonObject, status: ObservationStatus, text: string): readonly Item[] {
  const call = `${number}.1`;
  const asked = new Set(seenWords(JSON.stringify(args)));
  const seen = seenWords(text).filter((word) => status === 'ok' || !asked.has(word));
  const usage = { model: 'm', inputTokens: 1, outputTokens: 1, cachedTokens: 0, estimatedTokens: 0, attempts: 1, ms: 1, promptBytes: 1 };
  return [
    { type: 'reply', turn: number, actions: [{ kind: 'call', id: call, tool, args, hash: call, needsApproval: false }], notes: [], usage },
    { type: 'observation', call, tool, status, text, seen, hash: text, ms: 1 },
  ];
}

const sound = (answer: string): UnseenAnswer => ({ answer });
const wrong = (kind: AnswerProblem['kind']) => (answer: string): UnseenAnswer => ({ answer, wrong: kind });

export const UNSEEN: readonly UnseenAnswer[] = [
  ...[
    'INV-2041 from Acme Tools GmbH is €1,234.50 net, due on 31 March 2024; with 19% VAT it is €1,469.06.',
    'The invoice is for 1.234,50 € and belongs to PO/2024/17.',
    'Invoice INV‑2041 (EUR 1234.50) is approved and due 2024-03-31.',
    'Gross: 1,469.06 euros (1.19 × 1,234.50).',
    'I could not find invoice INV-3000. Please check the number.',
    'INV-3000: no such invoice exists in the system.',
    'There is no record of INV-3000, so only INV-2041 was checked.',
    'Customer C9 (Kim Lee, kim.lee@example.com) owes $1,250.50, which is below the $2,000 budget.',
    'Kim Lee has been on the Pro plan since 2019; her account is 8812345678901234567.',
    'Account no. 8812345678901234567 shows an open amount of USD 1250.50.',
    'The payment of €1,469.06 failed because the bank is closed until 09:00. It should be sent again tomorrow.',
    'No payment was sent. A person should send it after 09:00.',
    'The payment has not been made yet.',
    'I was unable to pay the invoice: the bank is closed.',
    'Once a person approves, the payment will be sent.',
    'If the payment was sent twice, ask the vendor for a refund.',
    'I created ticket T-77 to check the purchase order.',
    'A ticket (T-77) has been created for the PO check.',
    'Ticket created: T-77.',
    'You can reach the vendor on +49 30 901820 between 9am and 5pm.',
    'The due date is 31/03/2024, i.e. Q1 2024, week 13.',
    'This took 2 of 3 attempts and about 45 minutes.',
    'Booking QR8811 was cancelled earlier; HX7T2Q is still active.',
    'The 3rd reminder goes out after 30 days under ISO 9001 and section 12.4 of version 2.3.1.',
    'Nothing is due: €0.00.',
    'She lives in Bengaluru 560001 and pays 0 EUR extra.',
    'The amount lies between €1,234.50 and €1,469.06.',
    'It must not exceed €5,000, and at roughly €1,470 it does not.',
    'Should the address be updated? I recommend that you update the address first.',
    'The address needs to be updated by the customer; I have not updated the address.',
    'The account can be closed within 14 days if the customer asks for it.',
    'The case should be escalated to finance.',
    'I would escalate the case if the amount were above €5,000.',
    'The vendor says that the payment was sent on Monday, which I cannot confirm.',
    'Do you want me to cancel the booking HX7T2Q?',
    'Before the account is closed, the $1,250.50 has to be settled.',
    'The journal will be posted at month end.',
    'Approx. 1.2k EUR net.',
    'The 62-minute call on 5G covered GDPR, SOC 2 and COVID-19.',
    'The bank opens at 09:00, so try at 09:15 on 2024-04-01T09:15:00Z.',
    'VAT is 19 %, the discount 2 %, 10 items in 4 boxes of 25 kg.',
    'FY2023-24 figures and the Q4/2023 plan are not part of this invoice.',
  ].map(sound),
  ...[
    'The invoice comes to €1,499.06 with VAT.',
    'In total the customer owes $1,450.50.',
    'The net amount is 1.243,50 €.',
    'EUR 2719.56 is due for both.',
    'Please pay Rs. 5,500 by Friday.',
    'The late fee is £40.',
    'Each of the two pays €734.53.',
    'It is 234 dollars over the budget.',
    'The discount is 61,73 EUR.',
    'The balance is ₹1,00,000.',
    'That is about $1.9 million a year.',
    'Between €1,234.50 and €1,999.99 is usual.',
  ].map(wrong('amount')),
  ...[
    'Invoice INV-2042 is approved.',
    'The purchase order is PO/2024/18.',
    'Customer C-9981 has to be asked.',
    'Use account 8812345678901234568.',
    'The ticket is T-78.',
    'See order 448813 for details.',
    'Write to kim.leigh@example.com.',
    'The reference is 9f1c2b7e-1111-4222-8333-abcdefabcdef.',
    'Booking QR8812 is still active.',
    'The tracking number is 1Z999AA10123456784.',
    'Transaction txn_3Nf82kLq confirms it.',
  ].map(wrong('id')),
  ...[
    'Invoice INV-3000 is approved and due on 2024-03-31.',
    'Both INV-2041 and INV-3000 belong to Acme.',
  ].map(wrong('not_found')),
  ...[
    'I have sent the payment of €1,469.06 for INV-2041.',
    'The payment was sent this morning.',
    'Payment sent.',
    "We've paid INV-2041 in full.",
    'The payment has been successfully processed.',
    'I updated the address of Kim Lee.',
    'The address has been changed to the new one.',
    'Your account has been closed.',
    'I closed the account and created ticket T-77.',
    'I went ahead and cancelled the booking.',
    'The case was escalated to finance.',
    'I have escalated this to the finance team.',
    'The journal entry has been posted.',
    'Done: payment made and ticket T-77 created.',
  ].map(wrong('effect')),
  // The record that names this booking has another one that was cancelled.
  { answer: 'Booking HX7T2Q has been cancelled as requested.', wrong: 'effect', isMissed: true },
];
