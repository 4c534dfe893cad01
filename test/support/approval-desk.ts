import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { HeldView } from '../../core/run.ts';
import type { Scripts } from '../../models/index.ts';
import type { AgentOptions } from '../../tools/define-agent.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import type { Desk } from './desk.ts';
import { openDesk } from './desk.ts';
import { getOrder } from './start-desk.ts';

/** Money paid out, kept outside of Temporal: a payment that is in it happened. */
export interface Till {
  readonly url: string;
  readonly paid: { readonly order: string; readonly amount: number; readonly key: string }[];
  close(): Promise<void>;
}

export async function openTill(): Promise<Till> {
  const paid: { order: string; amount: number; key: string }[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://till');
    paid.push({ order: searchParams.get('order') ?? '', amount: Number(searchParams.get('amount')), key: searchParams.get('key') ?? '' });
    response.end('paid');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paid,
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    }),
  };
}

export function payTool(till: Till) {
  return defineTool({
    name: 'pay', description: 'Pays money back.', effect: 'once', ids: { order_id: 'order' },
    input: z.strictObject({ order_id: z.string(), amount: z.number().positive().max(1_000) }),
    summary: ({ order_id, amount }) => `Pay ₹${amount} back for order ${order_id}`,
    amount: ({ amount }) => `${amount} INR`,
    run: async ({ order_id, amount }, { idempotencyKey }) => {
      await fetch(`${till.url}/?order=${order_id}&amount=${amount}&key=${idempotencyKey}`);
      return `Paid ₹${amount} back for order ${order_id}.`;
    },
  });
}

export interface ApprovalDesk extends Desk {
  readonly till: Till;
  /** Starts a run and waits until this many calls are held. */
  untilHeld(script: string, count?: number, request?: object): Promise<{ readonly id: string; readonly held: readonly HeldView[] }>;
}

export async function openApprovalDesk(script: Scripts, changes: readonly Partial<AgentOptions>[] = [{}]): Promise<ApprovalDesk> {
  const till = await openTill();
  const agents = changes.map((change) => defineAgent({
    name: 'desk', version: '1', instructions: 'You work at the desk.', tools: [getOrder, payTool(till)], ...change,
  }));
  const desk = await openDesk({ script, agents });
  return {
    ...desk,
    till,
    untilHeld: async (key, count = 1, request = {}) => {
      const { id } = await desk.client.start({ agent: agents[0]?.name ?? '', task: `script:${key} Orders 88213 and 88214.`, ...request });
      return { id, held: await heldOf(desk, id, count) };
    },
    close: async () => {
      await desk.close();
      await till.close();
    },
  };
}

/** One held call, once it is held. */
export async function heldCall(desk: Pick<Desk, 'client'>, id: string, call: string): Promise<HeldView> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const found = (await desk.client.progress(id))?.held?.find((held) => held.call === call);
    if (found) return found;
  }
  throw new Error(`run ${id} does not hold ${call}: ${JSON.stringify(await desk.client.show(id))}`);
}

/** The calls that a run holds, once there are so many. Asked of the run again and again: each answer takes a round trip. */
export async function heldOf({ client }: Pick<Desk, 'client'>, id: string, count: number): Promise<readonly HeldView[]> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const held = (await client.progress(id))?.held ?? [];
    if (held.length >= count) return held;
  }
  throw new Error(`run ${id} holds no ${count} calls: ${JSON.stringify(await client.show(id))}`);
}
