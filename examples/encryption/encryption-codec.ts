import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { CodecKeys } from './codec-keys.ts';
import { KEY_VARIABLE } from './codec-keys.ts';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;
const CIPHER = 'aes-256-gcm';
/** Sizes that NIST SP 800-38D recommends; a random nonce is safe for 2^32 payloads a key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The marks of Temporal's own encryption samples, so that their codec servers can decode it for the Web UI. */
const ENCODING = 'encoding';
const ENCRYPTED = 'binary/encrypted';
const KEY_NAME = 'encryption-key-id';

/**
 * Encrypts whole payloads, their metadata included, before they leave the process. What was written before it was
 * switched on is read as it is.
 */
export function encryptionCodec(keys: CodecKeys): PayloadCodec {
  return {
    encode: async (payloads) => payloads.map((payload) => encrypt(payload, keys)),
    decode: async (payloads) => payloads.map((payload) => decrypt(payload, keys)),
  };
}

function encrypt(payload: Payload, { current, byName }: CodecKeys): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyNamed(current, byName), nonce);
  const sealed = Buffer.concat([nonce, cipher.update(PayloadMessage.encode(payload).finish()), cipher.final(), cipher.getAuthTag()]);
  return { metadata: { [ENCODING]: Buffer.from(ENCRYPTED), [KEY_NAME]: Buffer.from(current) }, data: sealed };
}

function decrypt(payload: Payload, { byName }: CodecKeys): Payload {
  const { metadata, data } = payload;
  if (textOf(metadata?.[ENCODING]) !== ENCRYPTED) return payload;
  const name = textOf(metadata?.[KEY_NAME]);
  return PayloadMessage.decode(open(Buffer.from(data ?? []), name, keyNamed(name, byName)));
}

function open(sealed: Buffer, name: string, key: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new Error(`A payload cannot be decrypted with the key "${name}": that key is another one now, or the data was changed.`, { cause: error });
  }
}

function keyNamed(name: string, byName: ReadonlyMap<string, Buffer>): Buffer {
  const key = byName.get(name);
  if (key === undefined) throw new Error(`A payload was encrypted with the key "${name}", which ${KEY_VARIABLE} does not hold.`);
  return key;
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}
