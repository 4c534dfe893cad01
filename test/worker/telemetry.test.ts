import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { Runtime } from '@temporalio/worker';
import { afterAll, expect, test, vi } from 'vitest';
import { SettingError } from '../../worker/errors.ts';
import { freePort } from '../../worker/free-port.ts';
import { installTelemetry } from '../../worker/telemetry.ts';

const blockers: Server[] = [];
afterAll(() => {
  for (const blocker of blockers) blocker.close();
});

async function occupy(port: number): Promise<void> {
  const server = createServer();
  blockers.push(server);
  server.listen(port, '127.0.0.1');
  await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => undefined);
}

// The SDK's runtime is one for each process, so the refusals come first and the one that works last.
test.each(['nonsense', '127.0.0.1:99999', 'host:port', '::'])('an address for metrics that cannot be read is a usage error: %s', async (named) => {
  await expect(installTelemetry({ env: { CASEWORKER_METRICS: named } })).rejects.toBeInstanceOf(SettingError);
});

test('a port for metrics that was named and is taken is a usage error: who scrapes it would read another process', async () => {
  const port = await freePort();
  await occupy(port);
  await expect(installTelemetry({ env: { CASEWORKER_METRICS: String(port) } })).rejects.toThrow(`CASEWORKER_METRICS names ${port}, which cannot be used`);
});

test('the usual port gives way when it is taken, counters are served there, and the SDK logs where we log', async () => {
  await occupy(9464);
  const lines: string[] = [];
  const said: string[] = [];
  const options = { env: {}, target: { write: (text: string) => void lines.push(text) }, report: (message: string) => void said.push(message) };
  const telemetry = await installTelemetry(options);
  expect(telemetry.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  expect(telemetry.metricsUrl).not.toContain(':9464/');
  expect(said).toEqual([`Port 9464 is taken: metrics are at ${telemetry.metricsUrl ?? ''}`]);

  Runtime.instance().metricMeter.createCounter('caseworker_loops_ended_total').add(2, { agent: 'desk', end_reason: 'budget' });
  const text = await (await fetch(telemetry.metricsUrl ?? '')).text();
  expect(text).toContain('caseworker_loops_ended_total{agent="desk",end_reason="budget"} 2');

  Runtime.instance().logger.warn('from the SDK');
  // The SDK hands its lines on in batches.
  await vi.waitFor(() => expect(lines.join('')).toContain('from the SDK'), { timeout: 30_000 });
  expect(await installTelemetry({ env: { CASEWORKER_METRICS: 'off' } })).toBe(telemetry);
});
