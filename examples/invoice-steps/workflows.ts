import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type * as steps from './activities.ts';

const { readInvoice, findPurchaseOrder, compareTotals, recordVerdict } = proxyActivities<typeof steps>({ startToCloseTimeout: '10s' });

/** Four steps that are the same every time need nobody to decide what comes next: no model, no prompt, no budget. */
export async function checkInvoice(id: string): Promise<string> {
  const invoice = await readInvoice(id);
  if (!invoice) throw ApplicationFailure.nonRetryable(`There is no invoice ${id}.`);
  const order = await findPurchaseOrder(invoice.order);
  const verdict = await compareTotals(invoice, order);
  return recordVerdict(id, verdict);
}
