import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Amounts in paise: whole numbers, so that they compare exactly. */
export interface Invoice {
  readonly invoice: string;
  readonly order: string;
  readonly total: number;
}

export interface PurchaseOrder {
  readonly order: string;
  readonly total: number;
}

const INVOICES: readonly Invoice[] = [
  { invoice: 'INV-2041', order: 'PO-310', total: 1_250_000 },
  { invoice: 'INV-2042', order: 'PO-311', total: 99_900 },
  { invoice: 'INV-2043', order: 'PO-999', total: 5_000 },
];
const ORDERS: readonly PurchaseOrder[] = [
  { order: 'PO-310', total: 1_250_000 },
  { order: 'PO-311', total: 89_900 },
];

export function readInvoice(id: string): Invoice | undefined {
  return INVOICES.find(({ invoice }) => invoice === id);
}

export function findPurchaseOrder(id: string): PurchaseOrder | undefined {
  return ORDERS.find(({ order }) => order === id);
}

export type Verdict = 'pay' | 'ask: totals differ' | 'ask: no such order';

export function compareTotals(invoice: Invoice, order: PurchaseOrder | undefined): Verdict {
  if (!order) return 'ask: no such order';
  return invoice.total === order.total ? 'pay' : 'ask: totals differ';
}

/** Writes the same file for the same verdict, however often it runs. */
export async function recordVerdict(invoice: string, verdict: string): Promise<string> {
  const folder = join(resolve(process.env['CASEWORKER_DATA'] ?? '.caseworker'), 'invoice-steps');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${encodeURIComponent(invoice)}.txt`), `${verdict}\n`);
  return `${invoice}: ${verdict}`;
}
