import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { loadDataConverter } from '../../worker/data-converter.ts';
import { SettingError } from '../../worker/errors.ts';
import { temporaryDataDir } from '../support/test-server.ts';

afterEach(() => vi.unstubAllEnvs());

function moduleOf(code: string, extension = 'mjs'): NodeJS.ProcessEnv {
  const path = join(temporaryDataDir(), `converter.${extension}`);
  writeFileSync(path, code);
  return { CASEWORKER_DATA_CONVERTER: path };
}

test('without the setting Temporal writes its own JSON', async () => {
  expect(await loadDataConverter({})).toBeUndefined();
  expect(await loadDataConverter({ CASEWORKER_DATA_CONVERTER: '' })).toBeUndefined();
});

test('a module may export a whole data converter', async () => {
  const codec = '{ encode: async (p) => p, decode: async (p) => p }';
  const converter = await loadDataConverter(moduleOf(`export const dataConverter = { payloadCodecs: [${codec}] };`));
  expect(converter?.payloadCodecs).toHaveLength(1);
});

test('a module may be a payload converter itself', async () => {
  const env = moduleOf('exports.payloadConverter = { toPayload: () => undefined, fromPayload: () => undefined };', 'cjs');
  expect(await loadDataConverter(env)).toEqual({ payloadConverterPath: env['CASEWORKER_DATA_CONVERTER'] });
});

test('the encryption example is such a module', async () => {
  vi.stubEnv('CASEWORKER_CODEC_KEY', `k1:${randomBytes(32).toString('base64')}`);
  const converter = await loadDataConverter({ CASEWORKER_DATA_CONVERTER: 'examples/encryption/data-converter.ts' });
  expect(converter?.payloadCodecs).toHaveLength(1);
  expect(converter?.failureConverterPath).toMatch(/failure-converter\.cjs$/);
});

test('a module that is missing, breaks, or exports something else is a usage error that names it', async () => {
  await expect(loadDataConverter({ CASEWORKER_DATA_CONVERTER: '/nowhere/converter.ts' })).rejects.toThrow('/nowhere/converter.ts, which does not exist');
  const wrong = [
    "throw new Error('no key');",
    'export const other = 1;',
    'export const dataConverter = 1;',
    'export const dataConverter = { payloadCodecs: [{}] };',
    "export const dataConverter = { payloadConverterPath: '/nowhere/x.js' };",
  ];
  for (const code of wrong) {
    const env = moduleOf(code);
    const error: unknown = await loadDataConverter(env).catch((thrown: unknown) => thrown);
    expect(error, code).toBeInstanceOf(SettingError);
    expect(String(error), code).toContain(env['CASEWORKER_DATA_CONVERTER']);
  }
});
