import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Form } from '../../core/agent.ts';
import { z } from 'zod';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Scripts } from '../../models/index.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { connectClient, connectWorker, openCluster } from '../../worker/connect.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { speaker } from '../support/speaker.ts';
import { deskAgent, getOrder, refund, search, startDesk } from '../support/start-desk.ts';
import type { Desk } from '../support/start-desk.ts';

/**
 * Records one history of each kind of run into a folder of this folder, named by the day. Old ones stay: they are what
 * running runs look like. Run it with `npm run record-histories` when a new kind of run appears; with names of kinds
 * behind `--` it records no others.
 */
const wanted = process.argv.slice(2);
/** Keys under which money was sent out. */
const wired = new Set<string>();
/** A write whose answer is lost the first time; a second try under the same key hears it. */
const wire = defineTool({
  name: 'wire', description: 'Wires money.', input: z.object({ order_id: z.string() }), effect: 'once', needsApproval: false,
  run: ({ order_id }, { idempotencyKey }) => {
    if (wired.has(idempotencyKey)) return `wired for ${order_id}`;
    wired.add(idempotencyKey);
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  },
});
/** A short read, made within the workflow task, whose pages soon fill a conversation. */
const getPage = defineTool({
  name: 'get_page', description: 'One page of the day book.', input: z.object({ page: z.number() }), effect: 'read', local: true,
  run: ({ page }) => `Page ${page}: ${'Nothing about any order was written down here. '.repeat(30)}`,
});
const PRICES = { currency: 'INR', budgetCurrency: 'INR', rate: '1', inputPerMillion: '400', outputPerMillion: '1600', source: 'made up' } as const;
const BY = { name: 'asha', verified: false };
const dataDir = mkdtempSync(join(tmpdir(), 'caseworker-record-'));
const folder = join(fileURLToPath(new URL('.', import.meta.url)), new Date().toISOString().slice(0, 10));
const say = (message: string) => process.stderr.write(`${message}\n`);

const cluster = await openCluster({ env: { ...process.env, TEMPORAL_CONFIG_FILE: '/nonexistent' }, dataDir, report: say, mayStart: true, ports: 'free' });
const connection = await connectClient(cluster);
const nativeConnection = await connectWorker(cluster);
mkdirSync(folder, { recursive: true });
for (const form of ['function-calling', 'text'] as const) await recordForm(form);
await nativeConnection.close();
await connection.close();
await cluster.release();
rmSync(dataDir, { recursive: true, force: true });

async function recordForm(form: Form): Promise<void> {
  const desk = await startDesk(
    {
      connection, nativeConnection, namespace: cluster.namespace, taskQueue: randomUUID(), dataDir,
      bundle: await workflowBundle({ env: process.env, report: say }),
    },
    {
      script: scripts(form),
      agents: [
        deskAgent({ form }), deskAgent({ form, name: 'waiting', onStop: 'wait', tools: [getOrder, search, refund, wire] }), deskAgent({ form, name: 'short', context: { historyEvents: 100 }, limits: { turns: 40 } }),
        deskAgent({ form, name: 'priced', onStop: 'wait', prices: PRICES }), deskAgent({ form, name: 'brief', onStop: 'wait', context: { historyEvents: 40 } }),
        // Enough for one step that elides and one that summarises: the turn at which it stops follows from what they left of the prompt.
        deskAgent({ form, name: 'reader', tools: [getPage], limits: { turns: 60, budget: '57000 tokens' } }),
      ],
    },
  );
  for (const [name, record] of Object.entries(kinds(desk))) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    // One that is there shows how a run of that build looks: it is never replaced.
    if (existsSync(join(folder, `${form}-${name}.json`))) continue;
    await save(desk, `${form}-${name}`, await record());
    say(`recorded ${form}-${name}`);
  }
  await desk.close();
}

function scripts(form: Form): Scripts {
  const { call, calls, answer } = speaker(form);
  const look = (query: string) => call('I look.', 'search', { query });
  return {
    answers: [calls('I look.', ['get_order', { order_id: '88213' }], ['search', { query: 'late' }]), answer('The fee was ₹25.')],
    looks: ({ turn }) => look(`question ${turn}`),
    repeats: () => look('the same'),
    fails: ({ turn }) => call('I try.', 'telephone', { turn }),
    'hands-over': [call('Not for me.', 'hand_over', { reason: 'a legal question' })],
    pays: [call('I pay.', 'refund', { order_id: '88213', amount: '25' }), answer('Finished.')],
    wires: [call('I wire.', 'wire', { order_id: '88213' }), answer('Finished.')],
    denied: () => ({ status: 401 }),
    asks: [call('I must know.', 'ask_person', { question: 'Which order?' }), answer('Order 88213 it is.')],
    held: [{ ...look('x'), heldBy: 'never' }],
    reads: ({ turn }) => call('I read on.', 'get_page', { page: turn + 1 }),
    cut: [{ ...look('x'), heldBy: 'cut' }, answer('Order 88213 it is.')],
    long: ({ turn }) => (turn < 30 ? look(`step ${turn}`) : answer('All steps are done.')),
  };
}

type Recorder = () => Promise<string>;

function kinds(desk: Desk): Readonly<{ [name: string]: Recorder }> {
  const { client, model } = desk;
  const ended = (key: string, changes: object = {}) => async () => (await desk.run({ task: `script:${key} Look at order 88213.`, ...changes })).id;
  const waiting = async (key: string, changes: object = {}) => {
    const { id } = await client.start({ agent: 'waiting', task: `script:${key} Look at order 88213.`, ...changes });
    for await (const entry of client.follow(id)) if (entry.kind === 'waiting') break;
    return id;
  };
  const execution = async (id: string) => (await desk.temporal.workflow.getHandle(id).describe()).runId;
  /** A run whose payment waits for a person, who decides, until its end. */
  const decided = (decide: (id: string, held: { readonly call: string; readonly argsHash: string }) => Promise<unknown>) => async () => {
    const id = await waiting('pays');
    const [held] = (await client.progress(id))?.held ?? [];
    await decide(id, { call: held?.call ?? '', argsHash: held?.argsHash ?? '' });
    if (!(await client.result(id, { waitMs: 20_000 }))) throw new Error(`${id} did not end`);
    return id;
  };
  return {
    'final-answer': ended('answers'),
    'step-limit': ended('looks', { limits: { turns: 2 } }),
    budget: ended('looks', { limits: { turns: 50, budget: { kind: 'tokens', tokens: 9_000 } } }),
    'time-limit': ended('looks', { limits: { timeMs: 1 } }),
    repeating: ended('repeats'),
    'no-progress': ended('fails'),
    'hand-over': ended('hands-over'),
    error: ended('denied'),
    'continued-as-new': ended('long', { agent: 'short' }),
    cancelled: async () => {
      const { id } = await client.start({ agent: 'waiting', task: 'script:held Look.' });
      await model.until((requests) => requests.some(({ key }) => key === 'held'));
      await client.cancel(id, { by: BY, reason: 'wrong customer' });
      await client.result(id, { waitMs: 20_000 });
      return id;
    },
    answered: async () => {
      const id = await waiting('asks');
      await client.answer(id, { by: BY, text: 'Order 88213.' });
      await client.result(id, { waitMs: 20_000 });
      return id;
    },
    approved: decided(async (id, held) => client.decide(id, 'approve', { by: BY, ...held })),
    edited: decided(async (id, held) => client.decide(id, 'edit', { by: BY, ...held, args: { order_id: '88213', amount: '20' } })),
    rejected: decided(async (id, held) => client.decide(id, 'reject', { by: BY, ...held, reason: 'not before Monday' })),
    responded: decided(async (id, held) => client.decide(id, 'respond', { by: BY, ...held, text: 'It was refunded at the counter.' })),
    settled: async () => {
      const id = await waiting('wires');
      const [doubt] = (await client.progress(id))?.doubts ?? [];
      await client.decide(id, 'settle', { by: BY, call: doubt?.call ?? '', outcome: 'happened', result: 'receipt 7' });
      await client.result(id, { waitMs: 20_000 });
      return id;
    },
    'made-again': async () => {
      const id = await waiting('wires');
      const [doubt] = (await client.progress(id))?.doubts ?? [];
      await client.decide(id, 'settle', { by: BY, call: doubt?.call ?? '', outcome: 'retry' });
      await client.result(id, { waitMs: 20_000 });
      return id;
    },
    marks: ended('reads', { agent: 'reader' }),
    priced: ended('answers', { agent: 'priced' }),
    'cut-short': async () => {
      const { id } = await client.start({ agent: 'priced', task: 'script:cut Look.' });
      const asked = (times: number) => model.until((requests) => requests.filter(({ key }) => key === 'cut').length === times);
      await asked(1);
      await client.message(id, { by: BY, text: 'It is order 88213.', now: true });
      await asked(2);
      model.release('cut');
      await client.result(id, { waitMs: 20_000 });
      return id;
    },
    'continued-with-open-turn': async () => {
      const id = await waiting('pays', { agent: 'brief' });
      const first = await execution(id);
      // Whoever talks to a run that waits makes its history longer, until it goes on as another execution.
      while ((await execution(id)) === first) await client.message(id, { by: BY, text: 'The customer called.' });
      const [held] = (await client.progress(id))?.held ?? [];
      await client.decide(id, 'approve', { by: BY, call: held?.call ?? '', argsHash: held?.argsHash ?? '' });
      await client.result(id, { waitMs: 20_000 });
      return id;
    },
    'taken-over': async () => {
      const id = await waiting('asks');
      await client.decide(id, 'take-over', { by: BY });
      await client.decide(id, 'call', { by: BY, tool: 'get_order', args: { order_id: '88213' } });
      await client.decide(id, 'todo', { by: BY, add: ['call the customer'] });
      await client.decide(id, 'give-back', { by: BY, note: 'It is order 88213.' });
      await client.answer(id, { by: BY, text: 'Order 88213.' }).catch(() => undefined);
      await client.result(id, { waitMs: 20_000 });
      return id;
    },
    paused: async () => {
      const { id } = await client.start({ agent: 'waiting', task: 'script:looks Look.', limits: { turns: 400 } });
      await client.pause(id, { by: BY });
      await client.resume(id, { by: BY });
      await client.cancel(id, { by: BY, reason: 'enough' });
      await client.result(id, { waitMs: 20_000 });
      return id;
    },
    forked: async () => {
      const { id: parent } = await desk.run({ task: 'script:answers Look at order 88213.' });
      const { id } = await client.fork(parent, { atTurn: 1 });
      await client.result(id, { waitMs: 20_000 });
      return id;
    },
    'resumed-and-resolved': async () => {
      const id = await waiting('looks', { limits: { turns: 1 } });
      await client.message(id, { by: BY, text: 'The customer called.' });
      await client.redirect(id, { by: BY, goal: 'Only the fee of order 88213.' });
      await client.resume(id, { by: BY, limits: { turns: 2 } });
      for await (const entry of client.follow(id)) if (entry.kind === 'waiting' && (await client.progress(id))?.stops.length === 2) break;
      await client.resolve(id, { by: BY, answer: '₹25, paid by hand.' });
      await client.result(id, { waitMs: 20_000 });
      return id;
    },
  };
}

/** Stacks name the folders of this machine and mean nothing to a replay. */
function withoutStacks(history: string): string {
  return JSON.stringify(JSON.parse(history, (key, value: unknown) => (key === 'stackTrace' ? '' : value)));
}

/** Every execution of a run, each a file of its own. */
async function save(desk: Desk, name: string, id: string): Promise<void> {
  let runId: string | undefined;
  let part = 0;
  do {
    const history = await desk.temporal.workflow.getHandle(id, runId).fetchHistory();
    writeFileSync(join(folder, `${name}${part === 0 ? '' : `-${part}`}.json`), `${withoutStacks(historyToJSON(history))}\n`);
    runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
    part += 1;
  } while (runId !== undefined);
}
