import type { Scripts } from '../../models/index.ts';
import { z } from 'zod';
import { serveConsole } from '../../console/api/serve-console.ts';
import type { Auth, RunningConsole } from '../../console/api/serve-console.ts';
import { pageDir } from '../../console/build-page.ts';
import type { PriceTable } from '../../core/money.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import type { AgentDefinition } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { connectClient, connectWorker, openCluster } from '../../worker/connect.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { openGate } from '../support/gate.ts';
import type { Gate } from '../support/gate.ts';
import { speaker } from '../support/speaker.ts';
import { getOrder, startDesk } from '../support/start-desk.ts';
import type { Desk } from '../support/start-desk.ts';

const say = speaker('function-calling');

/** What the model says in the stories of the page. */
export const STORIES: Scripts = {
  refund: [
    say.call('I look at the order before I pay anything.', 'get_order', { order_id: '88213' }),
    say.call('The whole price and the fee come to ₹505.', 'pay', { order_id: '88213', amount: 505, note: 'late delivery' }),
    say.answer('₹25 is paid back for order 88213.'),
  ],
  insists: [say.call('I pay.', 'pay', { order_id: '88213', amount: 25, note: '' }), say.answer('It was not paid.')],
  fee: [
    say.call('I look at the order.', 'get_order', { order_id: '88213' }), say.call('The fee of ₹25 is due.', 'pay', { order_id: '88213', amount: 25, note: '' }),
    say.answer('₹25 is paid back for order 88213.'),
  ],
  lost: [say.call('I book the courier.', 'book_courier', { order_id: '88213' }), say.answer('The courier for order 88213 is booked.')],
  quick: [say.answer('Nothing is to be done.')],
  asks: [say.call('I cannot know this.', 'ask_person', { question: 'Was the parcel of order 88213 opened?' }), say.answer('The parcel was closed.')],
  slow: [
    say.call('Only the customer knows.', 'ask_person', { question: 'What did the label say?' }), say.call('I search the archive.', 'search_archive', { order_id: '88213' }),
    say.answer('Order 88213 is in the archive.'),
  ],
  form: [
    say.call('I cannot know this.', 'ask_person', { question: 'What arrived?', fields: { state: { type: 'choice', options: ['whole', 'broken'] }, pieces: { type: 'number' }, seen: { type: 'date' }, opened: { type: 'boolean', required: false } } }),
    say.answer('It is noted.'),
  ],
  stuck: [
    say.call('I look at it.', 'get_order', { order_id: '88214' }),
    say.call('This is not for me.', 'hand_over', { reason: 'The customer threatens to sue.', queue: 'legal' }),
    say.answer('The order 88214 is in transit.'),
  ],
};

export interface Payment {
  readonly order: string;
  readonly amount: number;
}

/** A server of its own with a worker, the scripted model, and a console in front of it. */
export interface ConsoleDesk {
  readonly desk: Desk;
  readonly console: RunningConsole;
  readonly paid: readonly Payment[];
  /** Starts a run of a story and gives its id. */
  start(story: string, id?: string): Promise<string>;
  /** Ends every search in the archive, which takes as long as nobody does. */
  openArchive(): void;
  /** Another console over the same server. */
  serve(options: { readonly auth?: Auth; readonly port?: number }): Promise<RunningConsole>;
  close(): Promise<void>;
}

export interface ConsoleDeskOptions {
  readonly dataDir: string;
  readonly scripts?: Scripts;
  readonly agents?: readonly AgentDefinition[];
}

export async function openConsoleDesk({ dataDir, scripts = {}, agents = [] }: ConsoleDeskOptions): Promise<ConsoleDesk> {
  const report = (): undefined => undefined;
  const cluster = await openCluster({ env: { ...process.env, TEMPORAL_CONFIG_FILE: '/nonexistent/temporal.toml', TEMPORAL_ADDRESS: undefined }, dataDir, report, mayStart: true, ports: 'free' });
  const [connection, nativeConnection] = await Promise.all([connectClient(cluster), connectWorker(cluster)]);
  const bundle = await workflowBundle({ env: process.env, report });
  const paid: Payment[] = [];
  const archive = await openGate();
  const own = [payDesk(paid, archive), ...agents];
  const taskQueue = 'console-desk';
  const { namespace } = cluster;
  const desk = await startDesk({ connection, nativeConnection, namespace, bundle, taskQueue, dataDir }, { script: { ...STORIES, ...scripts }, agents: own });
  const consoles: RunningConsole[] = [];
  const serve: ConsoleDesk['serve'] = async ({ auth = { kind: 'local', name: 'asha' }, port = 0 }) => {
    const one = await serveConsole({
      server: { connection, namespace, taskQueue, blobs: desk.blobs }, auth, host: '127.0.0.1', port,
      pageDir: await pageDir(report), agents: own.map(({ name }) => name), version: 'test',
      webUiOf: (id) => `http://127.0.0.1:1/namespaces/default/workflows/${encodeURIComponent(id)}`,
      log: (error) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
    });
    consoles.push(one);
    return one;
  };
  return {
    desk, paid, serve, console: await serve({}), openArchive: () => archive.open('archive'),
    start: async (story, id) => (await desk.client.start({
      agent: 'desk', task: `script:${story} Orders 88213 and 88214.`, requestedBy: { name: 'customer service', verified: false }, ...(id ? { id } : {}),
    })).id,
    close: async () => {
      for (const one of consoles) await one.close();
      archive.open('archive');
      await desk.close();
      await archive.close();
      await connection.close();
      await nativeConnection.close();
      await cluster.release();
    },
  };
}

/** Made up, so that costs come to something that a person can read. */
const PRICES: PriceTable = { currency: 'INR', budgetCurrency: 'INR', rate: '1', inputPerMillion: '400', outputPerMillion: '1600', source: 'these tests' };

function payDesk(paid: Payment[], archive: Gate): AgentDefinition {
  const pay = defineTool({
    name: 'pay', description: 'Pays money back.', effect: 'once', ids: { order_id: 'order' },
    input: z.strictObject({ order_id: z.string(), amount: z.number().positive().max(1_000), note: z.string().max(5_000) }),
    summary: ({ order_id, amount }) => `Pay ₹${amount} back for order ${order_id}`,
    amount: ({ amount }) => `${amount} INR`,
    run: async ({ order_id, amount }) => {
      paid.push({ order: order_id, amount });
      return `Paid ₹${amount} back for order ${order_id}.`;
    },
  });
  const bookCourier = defineTool({
    name: 'book_courier', description: 'Books a courier for an order.', effect: 'once', needsApproval: false, ids: { order_id: 'order' },
    input: z.strictObject({ order_id: z.string() }),
    run: () => { throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }); },
  });
  const searchArchive = defineTool({
    name: 'search_archive', description: 'Searches old papers of an order.', effect: 'read', ids: { order_id: 'order' }, timeout: '10m',
    input: z.strictObject({ order_id: z.string() }),
    run: async ({ order_id }) => {
      await fetch(`${archive.url}/archive`);
      return `Order ${order_id}: a note of 2019.`;
    },
  });
  return defineAgent({
    prices: PRICES,
    name: 'desk', version: '1', instructions: 'You work at the desk.', tools: [getOrder, pay, bookCourier, searchArchive], constraints: ['Refund what the policy says.'],
  });
}
