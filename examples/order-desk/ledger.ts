import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A payment as the ledger keeps it: one file each, so that two payments of one order cannot both be written. */
export interface Refund {
  readonly order_id: string;
  readonly amount: number;
  readonly reason?: string;
  /** The key of the call that paid. */
  readonly key: string;
}

/** Writes a refund down. Throws when this order has one already: the file system decides, so two writers cannot both win. */
export async function payRefund(refund: Refund): Promise<void> {
  const file = fileOf(refund.order_id);
  await mkdir(join(file, '..'), { recursive: true });
  try {
    await writeFile(file, `${JSON.stringify(refund)}\n`, { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new Error(`Order ${refund.order_id} has been refunded before. Do not refund it again.`, { cause: error });
    }
    throw error;
  }
}

export async function findRefund(orderId: string): Promise<string | undefined> {
  try {
    return await readFile(fileOf(orderId), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Under the project's data folder, beside what the worker keeps. */
function fileOf(orderId: string): string {
  return join(resolve(process.env['CASEWORKER_DATA'] ?? '.caseworker'), 'order-desk-refunds', `${encodeURIComponent(orderId)}.json`);
}
