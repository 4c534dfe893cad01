import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { loadDataConverter as loadSdkDataConverter } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { SettingError } from './errors.ts';

export const DATA_CONVERTER_VARIABLE = 'CASEWORKER_DATA_CONVERTER';

/**
 * The one DataConverter of client, worker, command line and replayer: the module that CASEWORKER_DATA_CONVERTER names
 * exports `dataConverter`, or is itself a payload converter module (exports `payloadConverter`). Undefined when the
 * variable is not set: Temporal's own JSON. A payload converter that is set takes the place of ours in the sandbox
 * (`workflows/payload-converter.ts`): it too must give a value for bytes that it cannot read, never throw.
 * @throws SettingError when the module cannot be loaded or exports neither.
 */
export async function loadDataConverter(env: NodeJS.ProcessEnv): Promise<DataConverter | undefined> {
  const named = env[DATA_CONVERTER_VARIABLE];
  if (named === undefined || named === '') return undefined;
  const path = resolve(named);
  const exported = await load(path);
  if ('dataConverter' in exported) return parse(exported.dataConverter, path);
  if ('payloadConverter' in exported) return { payloadConverterPath: path };
  throw new SettingError(`${DATA_CONVERTER_VARIABLE}: ${path} exports neither dataConverter nor payloadConverter.`);
}

async function load(path: string): Promise<object> {
  if (!existsSync(path)) throw new SettingError(`${DATA_CONVERTER_VARIABLE} names ${path}, which does not exist.`);
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return typeof module === 'object' && module !== null ? module : {};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingError(`${DATA_CONVERTER_VARIABLE}: ${path} could not be loaded: ${why}`, { cause: error });
  }
}

function parse(value: unknown, path: string): DataConverter {
  if (!isDataConverter(value)) {
    throw new SettingError(`${DATA_CONVERTER_VARIABLE}: dataConverter of ${path} is not a DataConverter of Temporal.`);
  }
  try {
    // The SDK loads the modules named inside only when a client is made; a wrong one should be known now.
    loadSdkDataConverter(value);
    return value;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingError(`${DATA_CONVERTER_VARIABLE}: ${path}: ${why}`, { cause: error });
  }
}

function isDataConverter(value: unknown): value is DataConverter {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Partial<Record<string, unknown>> = { ...value };
  const codecs = fields['payloadCodecs'] ?? [];
  return [fields['payloadConverterPath'], fields['failureConverterPath']].every(isOptionalText)
    && Array.isArray(codecs) && codecs.every(isCodec);
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isCodec(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['encode', 'decode'].every((method) => typeof Reflect.get(value, method) === 'function');
}
