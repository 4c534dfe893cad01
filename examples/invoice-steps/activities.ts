import * as steps from './steps.ts';
import type { Invoice, PurchaseOrder, Verdict } from './steps.ts';

/** The steps as Temporal takes them: `null` for what is not there, since JSON has no `undefined`. */
export async function readInvoice(id: string): Promise<Invoice | null> {
  return Promise.resolve(steps.readInvoice(id) ?? null);
}

export async function findPurchaseOrder(id: string): Promise<PurchaseOrder | null> {
  return Promise.resolve(steps.findPurchaseOrder(id) ?? null);
}

export async function compareTotals(invoice: Invoice, order: PurchaseOrder | null): Promise<Verdict> {
  return Promise.resolve(steps.compareTotals(invoice, order ?? undefined));
}

export function recordVerdict(invoice: string, verdict: string): Promise<string> {
  return steps.recordVerdict(invoice, verdict);
}
