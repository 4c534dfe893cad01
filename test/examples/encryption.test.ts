import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import { expect, test } from 'vitest';
import { codecKeys } from '../../examples/encryption/codec-keys.ts';
import { encryptionCodec } from '../../examples/encryption/encryption-codec.ts';

const CANARY = 'canary-7f3a';
const newKey = () => randomBytes(32).toString('base64');
const codecOf = (setting: string) => encryptionCodec(codecKeys({ CASEWORKER_CODEC_KEY: setting }));
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = (payload: Payload | undefined): unknown => (payload ? defaultPayloadConverter.fromPayload(payload) : undefined);

async function sealed(setting: string, value: unknown = { note: CANARY }): Promise<Payload> {
  const [payload = {}] = await codecOf(setting).encode([payloadOf(value)]);
  return payload;
}

test('what was encrypted comes back as it was, and nothing of it can be read in between', async () => {
  const setting = `k1:${newKey()}`;
  const payload = await sealed(setting);
  expect(Buffer.from(payload.data ?? []).includes(CANARY)).toBe(false);
  const [opened] = await codecOf(setting).decode([payload]);
  expect(valueOf(opened)).toEqual({ note: CANARY });
});

test('the same value is never encrypted to the same bytes', async () => {
  const setting = `k1:${newKey()}`;
  const [one, other] = [await sealed(setting), await sealed(setting)];
  expect(Buffer.from(one.data ?? []).equals(Buffer.from(other.data ?? []))).toBe(false);
});

test('a changed byte anywhere in the data is noticed', async () => {
  const setting = `k1:${newKey()}`;
  const payload = await sealed(setting);
  for (const at of [0, 20, (payload.data?.length ?? 0) - 1]) {
    const data = Buffer.from(payload.data ?? []);
    data[at] = (data[at] ?? 0) ^ 1;
    await expect(codecOf(setting).decode([{ ...payload, data }])).rejects.toThrow('the data was changed');
  }
});

test('data that was cut short is noticed', async () => {
  const setting = `k1:${newKey()}`;
  const payload = await sealed(setting);
  for (const length of [0, 5, 20]) {
    await expect(codecOf(setting).decode([{ ...payload, data: payload.data?.subarray(0, length) }])).rejects.toThrow('cannot be decrypted');
  }
});

test('a key that is not there is named, and so is one that is another', async () => {
  const payload = await sealed(`old:${newKey()}`);
  await expect(codecOf(`new:${newKey()}`).decode([payload])).rejects.toThrow('with the key "old", which CASEWORKER_CODEC_KEY does not hold');
  await expect(codecOf(`old:${newKey()}`).decode([payload])).rejects.toThrow('with the key "old": that key is another one now');
});

test('after a change of the key old data is read and new data gets the new key', async () => {
  const old = `old:${newKey()}`;
  const both = `new:${newKey()},${old}`;
  const [opened] = await codecOf(both).decode([await sealed(old)]);
  expect(valueOf(opened)).toEqual({ note: CANARY });
  expect(String((await sealed(both)).metadata?.['encryption-key-id'])).toBe('new');
});

test('what was written before encryption was switched on is read as it is', async () => {
  const [opened] = await codecOf(`k1:${newKey()}`).decode([payloadOf('plain')]);
  expect(valueOf(opened)).toBe('plain');
});

test.each(['', 'k1', 'k1:', `:${newKey()}`, 'k1:c2hvcnQ=', `k1:${newKey()},k1:${newKey()}`])(
  'a setting that holds no usable keys is refused with how to make one, and without the keys: "%s"',
  (setting) => {
    const refuse = () => codecKeys({ CASEWORKER_CODEC_KEY: setting });
    expect(refuse).toThrow('openssl rand -base64 32');
    expect(refuse).not.toThrow(setting.slice(4, 20) || 'nothing');
  },
);
