import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { WORKFLOW_TYPE } from '../../core/names.ts';
import { openDesk } from '../support/desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';

const say = speaker('function-calling');
const bytes = (text: string) => Buffer.from(text);
const encoded = (encoding: string, data?: Uint8Array) => ({ metadata: { encoding: bytes(encoding) }, ...(data ? { data } : {}) });

/** What Temporal's own converter throws at, or makes something odd of. */
const UNREADABLE = [
  [encoded('json/plain', bytes('{not json'))],
  [encoded('json/plain', Buffer.from([0xff, 0xfe, 0x00]))],
  [encoded('json/plain')],
  [encoded('binary/encrypted', bytes('x'))],
  [{ metadata: { encoding: bytes('json/protobuf'), messageType: bytes('no.Such') }, data: bytes('{}') }],
  [encoded('binary/plain', bytes('raw'))],
  [encoded('json/plain', bytes('['.repeat(50_000)))],
  [encoded('json/plain', bytes(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))],
  [{ data: bytes('no metadata') }],
  [{}],
  [],
];

test('signals that any Temporal client can send, but nobody can read, are dropped: the run goes on and no workflow task fails', async () => {
  const { client, temporal, model } = await openDesk({ script: { held: [{ ...say.answer('All is well.'), heldBy: 'never' }] } });
  const { id } = await client.start({ agent: 'desk', task: 'script:held Look at order 88213.' });
  await model.until((requests) => requests.some(({ key }) => key === 'held'));
  const { namespace } = temporal.options;
  for (const payloads of UNREADABLE) {
    for (const signalName of ['message', 'cancel', 'no-such-verb']) {
      await temporal.workflowService.signalWorkflowExecution({
        namespace, workflowExecution: { workflowId: id }, signalName, requestId: randomUUID(), input: { payloads },
      });
    }
  }
  const outcome = await client.cancel(id, { by: { name: 'asha', verified: false }, reason: 'enough of this' });
  expect(outcome).toMatchObject({ state: 'applied' });
  expect(await client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'cancelled', handOver: { reason: 'Cancelled by asha: enough of this' } });
  expect(failedWorkflowTasks(await historyOf(temporal, id))).toEqual([]);
  expect(JSON.stringify(await client.trace(id))).toContain('enough of this');
});

test('a run that is started with bytes that nobody can read ends and says so', async () => {
  const { temporal, taskQueue } = await openDesk({ script: [say.answer('All is well.')] });
  const { namespace } = temporal.options;
  for (const payloads of UNREADABLE) {
    const workflowId = `unreadable-${randomUUID()}`;
    await temporal.workflowService.startWorkflowExecution({
      namespace, workflowId, requestId: randomUUID(), workflowType: { name: WORKFLOW_TYPE }, taskQueue: { name: taskQueue }, input: { payloads },
    });
    expect(await temporal.workflow.getHandle(workflowId).result()).toMatchObject({ endReason: 'error', stops: [{ detail: 'not_started' }] });
    expect(failedWorkflowTasks(await historyOf(temporal, workflowId))).toEqual([]);
  }
});
