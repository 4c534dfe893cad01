import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DecisionOutcome } from '../../client/types.ts';
import { serveConsole } from '../../console/api/serve-console.ts';
import type { RunningConsole } from '../../console/api/serve-console.ts';
import { pageDir } from '../../console/build-page.ts';
import type { TraceEntry } from '../../client/types.ts';
import { openApprovalDesk } from '../support/approval-desk.ts';
import type { ApprovalDesk } from '../support/approval-desk.ts';
import { speaker } from '../support/speaker.ts';
import { testServer } from '../support/test-server.ts';
import { openIssuer } from './issuer.ts';
import type { Issuer } from './issuer.ts';

const say = speaker('function-calling');
const pay = (amount: number) => say.call('I pay.', 'pay', { order_id: '88213', amount });

let desk: ApprovalDesk;
let issuer: Issuer;
let served: RunningConsole;

beforeAll(async () => {
  desk = await openApprovalDesk({ small: [pay(25), say.answer('Done.')], large: [pay(900), say.answer('Done.')] });
  issuer = await openIssuer({
    small: { is: 'approver', tools: ['pay'], upTo: { amount: '500', currency: 'INR' } }, others: { is: 'approver', tools: ['send_letter'] },
    leads: { is: 'approver' }, ops: { is: 'operator' },
  });
  const { connection, namespace } = await testServer();
  served = await serveConsole({
    server: { connection, namespace, taskQueue: desk.taskQueue, blobs: desk.blobs }, auth: { kind: 'token', config: issuer.config }, host: '127.0.0.1', port: 0,
    pageDir: await pageDir(() => undefined), agents: ['desk'], webUiOf: () => undefined, version: 'test', log: (error) => { throw error; },
  });
});
afterAll(async () => {
  await served.close();
  await issuer.close();
  await desk.till.close();
});

interface Sent {
  readonly run: string;
  readonly verb: string;
  readonly body: object;
  readonly roles: readonly string[];
}

async function send({ run, verb, body, roles }: Sent): Promise<{ readonly status: number; readonly answer: DecisionOutcome }> {
  const response = await fetch(`${served.url}/api/runs/${run}/${verb}`, {
    method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', authorization: `Bearer ${await issuer.token('meera', roles)}` },
  });
  return { status: response.status, answer: (await response.json()) as DecisionOutcome };
}

test('an approver decides the tools of their role, up to their amount', async () => {
  const { id, held: [call] } = await desk.untilHeld('large');
  const body = { call: '1.1', argsHash: call?.argsHash };
  expect(await send({ run: id, verb: 'approve', body, roles: ['others'] })).toMatchObject({ status: 403 });
  expect(await send({ run: id, verb: 'reject', body: { ...body, reason: 'no' }, roles: ['others'] })).toMatchObject({ status: 403 });
  expect(await send({ run: id, verb: 'approve', body, roles: ['small'] })).toMatchObject({ status: 403 });
  expect(await send({ run: id, verb: 'respond', body: { ...body, text: 'x' }, roles: ['small'] })).toMatchObject({ status: 403 });
  expect(await send({ run: id, verb: 'edit', body: { ...body, args: { order_id: '88213', amount: 1 } }, roles: ['others'] })).toMatchObject({ status: 403 });
  expect((await desk.client.progress(id))?.held).toHaveLength(1);
  expect(await send({ run: id, verb: 'reject', body: { ...body, reason: 'too much' }, roles: ['small'] })).toMatchObject({ status: 200, answer: { state: 'applied' } });
  await desk.client.result(id, { waitMs: 30_000 });
});

test('an approver with a limit changes a call within it, whatever the call was before, and never above it', async () => {
  const { id, held: [call] } = await desk.untilHeld('large');
  const body = { call: '1.1', argsHash: call?.argsHash };
  const before = desk.till.paid.length;
  const edit = (amount: number, more: object = {}) => send({ run: id, verb: 'edit', body: { ...body, args: { order_id: '88213', amount }, ...more }, roles: ['small'] });
  expect(await edit(501)).toMatchObject({ status: 200, answer: { state: 'refused', kind: 'not_allowed', because: expect.stringContaining('pay of 501 INR is above what meera may decide (500 INR)') } });
  expect(await edit(501, { upTo: [{ amount: '9999', currency: 'INR' }] })).toMatchObject({ status: 400 });
  expect((await desk.client.progress(id))?.held).toMatchObject([{ args: { amount: 900 } }]);
  expect(await edit(500)).toMatchObject({ status: 200, answer: { state: 'applied' } });
  await desk.client.result(id, { waitMs: 30_000 });
  expect(desk.till.paid.slice(before)).toMatchObject([{ amount: 500 }]);
});

test('a change by somebody with a limit is refused even where the call itself is below it', async () => {
  const { id, held: [call] } = await desk.untilHeld('small');
  const body = { call: '1.1', argsHash: call?.argsHash };
  expect(await send({ run: id, verb: 'edit', body: { ...body, args: { order_id: '88213', amount: 900 } }, roles: ['small'] })).toMatchObject({ answer: { state: 'refused', kind: 'not_allowed' } });
  expect(await send({ run: id, verb: 'approve', body, roles: ['small'] })).toMatchObject({ status: 200, answer: { state: 'applied' } });
  await desk.client.result(id, { waitMs: 30_000 });
});

test('a limited approver cannot decide a call before it waits, whatever hash they work out, and a late one is told who was first', async () => {
  const { id, held: [call] } = await desk.untilHeld('large');
  const body = { call: '1.1', argsHash: call?.argsHash };
  expect(await send({ run: id, verb: 'approve', body: { ...body, call: '2.1' }, roles: ['small'] })).toMatchObject({ status: 200, answer: { state: 'refused', because: expect.stringContaining('no call 2.1 waits') } });
  expect(await send({ run: id, verb: 'reject', body: { ...body, reason: 'too much' }, roles: ['leads'] })).toMatchObject({ answer: { state: 'applied' } });
  expect(await send({ run: id, verb: 'approve', body, roles: ['small'] })).toMatchObject({ status: 200, answer: { state: 'refused', because: expect.stringContaining('meera rejected it') } });
  await desk.client.result(id, { waitMs: 30_000 });
});

test('the decision is made by whoever the token names, with its roles, and a body that names somebody is refused', async () => {
  const { id, held: [call] } = await desk.untilHeld('small');
  const body = { call: '1.1', argsHash: call?.argsHash };
  expect(await send({ run: id, verb: 'approve', body: { ...body, by: { name: 'boss', verified: true } }, roles: ['ops'] })).toMatchObject({ status: 400 });
  await send({ run: id, verb: 'approve', body, roles: ['leads', 'unknown'] });
  await desk.client.result(id, { waitMs: 30_000 });
  const { entries } = await desk.client.trace(id);
  const acts = entries.flatMap((entry: TraceEntry) => (entry.kind === 'item' && entry.item.type === 'person' ? [entry.item] : []));
  expect(acts).toMatchObject([{ verb: 'approve', by: { name: 'meera', verified: true, roles: ['leads'] } }]);
});

test('a decision that is sent twice with one id is applied once, and a late one is told who was first', async () => {
  const { id, held: [call] } = await desk.untilHeld('small');
  const body = { id: 'decision-1', call: '1.1', argsHash: call?.argsHash };
  const before = desk.till.paid.length;
  const answers = await Promise.all([0, 1].map(() => send({ run: id, verb: 'approve', body, roles: ['ops'] })));
  expect(answers.map(({ answer }) => answer.state)).toEqual(['applied', 'applied']);
  await desk.client.result(id, { waitMs: 30_000 });
  expect(desk.till.paid.slice(before)).toHaveLength(1);
  expect(await send({ run: id, verb: 'approve', body: { ...body, id: 'decision-2' }, roles: ['ops'] })).toMatchObject({ status: 200, answer: { state: 'refused', because: expect.stringContaining('meera approved it') } });
});

test('a run is followed as events: entries as they happen, how it stands, and the end', async () => {
  const { id, held: [call] } = await desk.untilHeld('small');
  const response = await fetch(`${served.url}/api/runs/${id}/trace/events`, { headers: { authorization: `Bearer ${await issuer.token('meera', ['leads'])}` } });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const body = response.text();
  await send({ run: id, verb: 'approve', body: { call: '1.1', argsHash: call?.argsHash }, roles: ['leads'] });
  const names = [...(await body).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
  expect(names).toEqual(expect.arrayContaining(['entry', 'progress']));
  expect(names.at(-1)).toBe('end');
});
