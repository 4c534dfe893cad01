import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { openAiChat } from '../../models/index.ts';
import { readScripts } from '../../models/offline/script-file.ts';
import { ask, failureOfCall } from './ask.ts';

describe('a script file', () => {
  test('is a list of lines, or lists by key', () => {
    expect(readScripts('[{"text":"hi"}]')).toEqual({ default: [{ text: 'hi' }] });
    expect(readScripts('{"a":[{"fault":"hang"}],"b":[{"status":429,"headers":{"retry-after":"1"}}]}')).toMatchObject({ a: [{ fault: 'hang' }] });
  });

  test('with a word that nobody knows is refused', () => {
    for (const text of ['[{"txt":"hi"}]', '[{"fault":"explode"}]', '{"a":5}', '7']) expect(() => readScripts(text)).toThrow('The script cannot be used');
  });
});

test('the scripted model runs as a process of its own, until it gets a signal', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'script-')), 'script.json');
  writeFileSync(file, JSON.stringify([{ first: [{ status: 503 }], text: 'from another process' }]));
  const child = spawn(process.execPath, ['--import', 'tsx', 'models/offline/main.ts', '--script', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const { baseURL }: { baseURL: string } = JSON.parse(String(line));
    const model = openAiChat({ baseURL, apiKey: 'k' });
    expect((await failureOfCall(model, ask())).status).toBe(503);
    expect((await model.complete(ask())).text).toBe('from another process');
  } finally {
    child.kill('SIGTERM');
  }
  expect(await once(child, 'exit')).toEqual([0, null]);
});
