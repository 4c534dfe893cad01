import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startOfflineModel } from './offline-model.ts';
import { readScripts } from './script-file.ts';
import { startScriptedModel } from './scripted-model.ts';

/**
 * The offline model as a process of its own, or with `--script FILE` the scripted one: for tests that kill the others.
 * Prints one line of JSON with its address, and runs until it gets a signal.
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, script: { type: 'string' } } });
const port = Number(values.port);
const server = values.script === undefined
  ? await startOfflineModel({ port })
  : await startScriptedModel(readScripts(await readFile(values.script, 'utf8')), { port });
process.stdout.write(`${JSON.stringify({ baseURL: server.baseURL })}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.close();
  });
}
