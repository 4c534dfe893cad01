import { randomUUID } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { expect, test } from 'vitest';
import { SEARCH_ATTRIBUTE } from '../../core/names.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { testServer } from '../support/test-server.ts';

const ALL: readonly string[] = Object.values(SEARCH_ATTRIBUTE);
const { INDEXED_VALUE_TYPE_TEXT } = proto.temporal.api.enums.v1.IndexedValueType;

test('the attributes are registered on a server that lacks them, and a second time changes nothing', async () => {
  const { connection, namespace } = await testServer();
  expect(await registerSearchAttributes({ connection, namespace })).toEqual({ known: ALL });
  expect(await registerSearchAttributes({ connection, namespace })).toEqual({ known: ALL });
});

test('where they cannot be registered it says so and why, and throws nothing', async () => {
  const { connection } = await testServer();
  const { known, problem } = await registerSearchAttributes({ connection, namespace: 'no-such-namespace' });
  expect(known).toEqual([]);
  expect(problem).toMatch(/Runs go on without the search attributes CaseworkerAgent, .*no-such-namespace/s);
});

test('an attribute of our name and another type does not count as known: writing it would stall a run', async () => {
  const { connection } = await testServer();
  const namespace = `typed-${randomUUID()}`;
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [SEARCH_ATTRIBUTE.status]: INDEXED_VALUE_TYPE_TEXT } });
  const { known, problem } = await registerSearchAttributes({ connection, namespace });
  expect(known).toEqual(ALL.filter((name) => name !== SEARCH_ATTRIBUTE.status));
  expect(problem).toContain(SEARCH_ATTRIBUTE.status);
});
