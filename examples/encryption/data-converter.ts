import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { codecKeys } from './codec-keys.ts';
import { encryptionCodec } from './encryption-codec.ts';

/** What CASEWORKER_DATA_CONVERTER takes from this module. */
export const dataConverter: DataConverter = {
  payloadCodecs: [encryptionCodec(codecKeys(process.env))],
  failureConverterPath: fileURLToPath(new URL('./failure-converter.cjs', import.meta.url)),
};
