import { expect, test } from 'vitest';
import { embeddedChaosServer } from './chaos-server.ts';
import { runChaos } from './harness.ts';
import { chaosOptions } from './options.ts';

test('25 killed workers, a server that goes away and a model that flaps: no effect twice, none lost, every run ends or waits with its reason', async () => {
  const options = chaosOptions(['--kills', '25', '--seed', '1', '--outage', '3s']);
  const report = await runChaos(options, { server: embeddedChaosServer, say: () => undefined });
  expect(report.violations).toEqual([]);
  expect(report.outages).toBe(1);
  expect(Object.values(report.killed).reduce((sum, times) => sum + times, 0)).toBeGreaterThanOrEqual(25);
  // A harness that killed nobody in the moments that matter would hold anything.
  expect(Object.keys(report.killed)).toEqual(expect.arrayContaining(['before_effect', 'approved', 'after_effect', 'in_model', 'archiving', 'continuing', 'decision']));
  expect(report.repeats).toBeGreaterThan(0);
}, 600_000);
