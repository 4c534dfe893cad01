import { resolve } from 'node:path';

/** The folder of the embedded server's data and the blobs: CASEWORKER_DATA, else `.caseworker` where the command runs. */
export function dataDirOf(env: NodeJS.ProcessEnv): string {
  const named = env['CASEWORKER_DATA'];
  return resolve(named === undefined || named === '' ? '.caseworker' : named);
}
