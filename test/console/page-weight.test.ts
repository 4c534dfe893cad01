import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pageDir } from '../../console/build-page.ts';

test('the page weighs no more than 60 kB gzipped, and the chart\'s code is none of it: that is loaded where a chart is shown', async () => {
  const dir = await pageDir(() => undefined);
  const html = readFileSync(join(dir, 'index.html'), 'utf8');
  const files = readdirSync(join(dir, 'assets'));
  const isChart = (name: string): boolean => name.startsWith('chart');
  const weight = [html, ...files.filter((name) => !isChart(name)).map((name) => readFileSync(join(dir, 'assets', name)))].reduce((sum, file) => sum + gzipSync(file).length, 0);
  expect(weight).toBeLessThanOrEqual(60_000);
  expect(files.filter(isChart).some((name) => name.endsWith('.js'))).toBe(true);
  expect(html).not.toContain('assets/chart');
});
