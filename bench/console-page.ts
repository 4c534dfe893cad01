import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { createClient } from '../client/caseworker-client.ts';
import { serveConsole } from '../console/api/serve-console.ts';
import { pageDir } from '../console/build-page.ts';
import { openBrowser } from '../test/console/browser.ts';
import { createFileBlobStore } from '../worker/file-blob-store.ts';
import { connectClient, openCluster } from '../worker/connect.ts';
import { registerSearchAttributes } from '../worker/search-attributes.ts';

/**
 * The operators' page: its weight, and the time until the first row of a list of 10,000 runs stands there.
 * `npx tsx bench/console-page.ts [runs]`; runs are started and never worked on, so this is the page and the server alone.
 */
const RUNS = Number(process.argv[2] ?? 10_000);
const ROUNDS = 7;
const AT_ONCE = 50;

const dir = await pageDir(() => undefined);
const files = (await readdir(join(dir, 'assets'))).filter((name) => /\.(js|css)$/.test(name));
const weights = await Promise.all(files.map(async (name) => [name, gzipSync(await readFile(join(dir, 'assets', name)), { level: 9 }).length] as const));
const of = (chart: boolean): number => weights.filter(([name]) => name.startsWith('chart') === chart).reduce((sum, [, bytes]) => sum + bytes, 0);
console.log(`page weight, gzip: ${(of(false) / 1024).toFixed(1)} KiB, the chart's chunk ${(of(true) / 1024).toFixed(1)} KiB`);

const dataDir = await mkdtemp(join(tmpdir(), 'caseworker-bench-page-'));
const cluster = await openCluster({ env: { TEMPORAL_CONFIG_FILE: '/nonexistent/temporal.toml', PATH: process.env['PATH'], HOME: process.env['HOME'] }, dataDir, report: () => undefined, mayStart: true, ports: 'free' });
const connection = await connectClient(cluster);
const { namespace } = cluster;
await registerSearchAttributes({ connection, namespace });
const server = { connection, namespace, taskQueue: 'bench', blobs: createFileBlobStore(dataDir) };
const page = await serveConsole({ server, auth: { kind: 'local', name: 'bench' }, host: '127.0.0.1', port: 0, pageDir: dir, agents: [], webUiOf: () => undefined, version: 'bench', log: console.error });
const browser = await openBrowser();
try {
  console.log(`first row, ms: empty server's notice ${await firstMs('.notice')}`);
  const client = createClient(server);
  for (let n = 0; n < RUNS; n += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, RUNS - n) }, (_, i) => client.start({ agent: 'order-desk', task: 'Is order 88213 late?', id: `bench-${n + i}` })));
  }
  console.log(`first row, ms: of ${RUNS} runs ${await firstMs('.runs tbody tr')}`);
} finally {
  await browser.close();
  await page.close();
  await connection.close();
  await cluster.release();
  await rm(dataDir, { recursive: true, force: true });
}

/** The median from the navigation to when it is there, in a browser that has nothing of the page. */
async function firstMs(selector: string): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext();
    const tab = await context.newPage();
    const began = performance.now();
    await tab.goto(`${page.url}/#/runs`);
    await tab.locator(selector).first().waitFor();
    times.push(performance.now() - began);
    await context.close();
  }
  const sorted = times.sort((a, b) => a - b);
  return `${sorted[Math.floor(ROUNDS / 2)]?.toFixed(0)} (${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)}, ${ROUNDS} rounds)`;
}
