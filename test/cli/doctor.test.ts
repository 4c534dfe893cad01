import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { agentWarnings } from '../../cli/doctor-warnings.ts';
import { findingLines, verdictLines } from '../../cli/doctor-text.ts';
import { OFFLINE_MODEL, startOfflineModel, startScriptedModel } from '../../models/index.ts';
import { finding, PROBES } from '../../models/probe-finding.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import { deskAgent, getOrder } from '../support/start-desk.ts';
import { temporaryDataDir } from '../support/test-server.ts';
import { closing } from '../models/servers.ts';
import { runCli, startCli } from './run-cli.ts';

const STYLE = { width: 80, full: false, dim: String, bold: String, warn: String, command: String };

describe('the report of a probing', () => {
  const saw = 'Model server 127.0.0.1:65535 (model a-model-with-quite-a-long-name) answered 400: tools are not supported by this server.';
  const findings = PROBES.map((probe) => finding(probe, { result: 'refused', saw }));

  test('has a row for each probe within 80 columns: what was seen and what Caseworker does', () => {
    const lines = findingLines({ findings, leftOut: [] }, STYLE);
    expect(lines.filter((line) => /^[a-z].* refused /.test(line))).toHaveLength(PROBES.length);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('cut again by Caseworker');
  });

  test('says that neither form works, and what the server refuses', () => {
    const text = verdictLines({ findings, leftOut: ['stop'] }, [], STYLE).join(' ').replace(/\s+/g, ' ');
    expect(text).toMatch(/Form none: .* Left out stop:/);
  });
});

describe('agents that a probing does not vouch for', () => {
  const tools = Array.from({ length: 21 }, (_, i) => ({ ...getOrder, facts: { ...getOrder.facts, name: `tool_${i}` }, name: `tool_${i}` }));

  test('one with more than 20 tools is warned about, one with 20 is not', () => {
    const [warning] = agentWarnings([deskAgent({ tools })], 'm');
    expect(warning).toMatch(/desk has 21 tools/);
    expect(agentWarnings([deskAgent({ tools: tools.slice(0, 20) })], 'm')).toEqual([]);
  });

  test('one that asks for another model is named with the way to probe that', () => {
    const agents = [defineAgent({ name: 'a', version: '1', instructions: 'x', tools: [], model: 'gpt-5' })];
    expect(agentWarnings(agents, 'gpt-5-mini')).toEqual([expect.stringMatching(/OPENAI_MODEL=gpt-5/)]);
    expect(agentWarnings(agents, 'gpt-5')).toEqual([]);
  });
});

describe('caseworker doctor', { timeout: 60_000 }, () => {
  test('with no provider set probes the offline model, says so, and ends with 0', async () => {
    const { code, stdout, stderr } = await runCli(['doctor']);
    expect(stderr).toMatch(/^Neither OPENAI_API_KEY nor OPENAI_BASE_URL is set: probing the offline model/);
    expect(stdout).toMatch(/stop sequence +works[^]*Form +function-calling/);
    expect(code).toBe(0);
  });

  test('as data: one JSON document with every probe, warnings from the agents\' module included', async () => {
    const server = closing(await startOfflineModel());
    const index = fileURLToPath(new URL('../../index.ts', import.meta.url));
    const module = join(temporaryDataDir(), 'agents.mjs');
    await writeFile(module, `
      import { defineAgent, defineTool } from ${JSON.stringify(index)};
      import { z } from ${JSON.stringify(fileURLToPath(import.meta.resolve('zod')))};
      const tools = Array.from({ length: 21 }, (_, i) => defineTool({ name: 'tool_' + i, description: 'x', input: z.object({}), effect: 'read', run: () => 'x' }));
      export default [defineAgent({ name: 'many', version: '1', instructions: 'x', tools })];`);
    const { code, stdout } = await runCli(['doctor', '-o', 'json', '--agents', module], { OPENAI_BASE_URL: server.baseURL, OPENAI_MODEL: OFFLINE_MODEL });
    const report: unknown = JSON.parse(stdout);
    expect(report).toMatchObject({
      model: OFFLINE_MODEL, host: new URL(server.baseURL).host, offline: false, form: 'function-calling', leftOut: [],
      warnings: [expect.stringMatching(/many has 21 tools/)],
      findings: PROBES.map((probe) => ({ probe, result: 'works' })),
    });
    expect(code).toBe(0);
  });

  test('a wrong key ends it early with 1 and the fix, and the key is not printed', async () => {
    const server = closing(await startScriptedModel(() => ({ status: 401, body: { error: { message: 'No such key: my-own-key-77', code: 'invalid_api_key' } } })));
    const { code, stdout, stderr } = await runCli(['doctor'], { OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: 'my-own-key-77' });
    expect(stderr).toMatch(/Error: .*answered 401.*Set OPENAI_API_KEY/);
    expect(stdout).toMatch(/plain reply +refused/);
    expect(stdout + stderr).not.toContain('my-own-key-77');
    expect(code).toBe(1);
    expect(server.requests()).toHaveLength(1);
  });

  test('a model that never answers ends it with 7 after the time-out', async () => {
    const server = closing(await startScriptedModel(() => ({ fault: 'hang' })));
    const { code, stderr } = await runCli(['doctor', '--timeout', '1s'], { OPENAI_BASE_URL: server.baseURL });
    expect(stderr).toMatch(/did not answer in time\. A longer --timeout/);
    expect(code).toBe(7);
  });

  test('nobody at the address: 7, and where the address is set', async () => {
    const server = await startOfflineModel();
    await server.close();
    const { code, stderr } = await runCli(['doctor'], { OPENAI_BASE_URL: server.baseURL });
    expect(stderr).toMatch(/ECONNREFUSED[^]*OPENAI_BASE_URL/);
    expect(code).toBe(7);
  });

  test('a model that speaks neither form: 1', async () => {
    const server = closing(await startScriptedModel(() => ({ text: 'I am only a poet.' })));
    const { code, stdout } = await runCli(['doctor', '-o', 'jsonl'], { OPENAI_BASE_URL: server.baseURL });
    expect(stdout.trim().split('\n')).toHaveLength(PROBES.length + 1);
    expect(code).toBe(1);
  });

  test('Ctrl-C ends it with 130', async () => {
    const server = closing(await startScriptedModel(() => ({ fault: 'hang' })));
    const doctor = startCli(['doctor'], { OPENAI_BASE_URL: server.baseURL });
    await server.until((requests) => requests.length === 1);
    doctor.interrupt();
    expect((await doctor.ended).code).toBe(130);
  });
});
