import { z } from 'zod';
import { defineAgent, defineTool } from '../../index.ts';
import { compareTotals, findPurchaseOrder, readInvoice, recordVerdict } from './steps.ts';

const invoiceId = z.string().max(40).describe('e.g. INV-9000');

const getInvoice = defineTool({
  name: 'get_invoice', description: 'One invoice with its order and total in paise.', effect: 'read',
  input: z.object({ invoice: invoiceId }), ids: { invoice: 'invoice' },
  emptyText: ({ invoice }) => `There is no invoice ${invoice}.`,
  run: ({ invoice }) => readInvoice(invoice),
});

const getPurchaseOrder = defineTool({
  name: 'get_purchase_order', description: 'One purchase order with its total in paise.', effect: 'read',
  input: z.object({ order: z.string().max(40) }), ids: { order: 'purchase order' },
  emptyText: ({ order }) => `There is no purchase order ${order}.`,
  run: ({ order }) => findPurchaseOrder(order),
});

const compare = defineTool({
  name: 'compare_totals', description: 'What to do with an invoice: pay it, or ask why it differs.', effect: 'read',
  input: z.object({ invoice: invoiceId }), ids: { invoice: 'invoice' },
  run: ({ invoice }) => {
    const found = readInvoice(invoice);
    return found && compareTotals(found, findPurchaseOrder(found.order));
  },
});

const record = defineTool({
  name: 'record_verdict', description: 'Writes down what was decided on an invoice.', effect: 'idempotent', needsApproval: false,
  input: z.object({ invoice: invoiceId, verdict: z.string().max(80) }), ids: { invoice: 'invoice' },
  key: ({ invoice, verdict }) => `${invoice} ${verdict}`,
  run: ({ invoice, verdict }) => recordVerdict(invoice, verdict),
});

/** The same job with a model that decides, each time anew, to do the four steps that are always the same. */
export const invoiceAgent = defineAgent({
  name: 'invoice-steps', version: '1', tools: [getInvoice, getPurchaseOrder, compare, record], onStop: 'end',
  instructions: 'You check invoices: read the invoice, find its order, compare the totals, record the verdict. Answer with the verdict.',
});
