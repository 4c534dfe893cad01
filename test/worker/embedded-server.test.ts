import { expect, test } from 'vitest';
import { testServer } from '../support/test-server.ts';

test('closed runs are kept for 30 days, not for the one day of a dev server', async () => {
  const { connection, namespace } = await testServer();
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 60 * 60);
});
