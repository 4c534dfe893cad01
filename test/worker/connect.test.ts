import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectWorker, openCluster } from '../../worker/connect.ts';
import { runningServer } from '../../worker/embedded-server.ts';
import { ServerUnreachableError, SettingError } from '../../worker/errors.ts';
import { cleanEnvironment, temporaryDataDir, testServer } from '../support/test-server.ts';

/** Nothing listens there. */
const NOWHERE = '127.0.0.1:9';

function openingWith(env: NodeJS.ProcessEnv, mayStart = false) {
  return { env: { ...cleanEnvironment(), ...env }, dataDir: temporaryDataDir(), report: () => undefined, mayStart, ports: 'free' } as const;
}

function profileFile(text: string): string {
  const path = join(temporaryDataDir(), 'temporal.toml');
  writeFileSync(path, text);
  return path;
}

test('a cluster named by TEMPORAL_ADDRESS is used, and nothing is started even where it may be', async () => {
  const { address } = await testServer();
  const options = openingWith({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default' }, true);
  const cluster = await openCluster(options);
  expect(cluster).toMatchObject({ kind: 'named', address, namespace: 'default', startedByUs: false });
  expect(await runningServer(options.dataDir)).toBeUndefined();
  await cluster.release();
});

test('a cluster named by a profile of temporal.toml is used', async () => {
  const { address } = await testServer();
  const file = profileFile(`[profile.default]\naddress = "${address}"\n[profile.other]\naddress = "${NOWHERE}"\n`);
  expect(await openCluster(openingWith({ TEMPORAL_CONFIG_FILE: file }))).toMatchObject({ kind: 'named', address });
  await expect(openCluster(openingWith({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'other' }))).rejects.toThrow(NOWHERE);
});

test('a named cluster that does not answer is an error with its address and what to do, and no other is started', async () => {
  const options = openingWith({ TEMPORAL_ADDRESS: NOWHERE }, true);
  const error: unknown = await openCluster(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServerUnreachableError);
  expect(error).toMatchObject({ name: 'ServerUnreachableError', address: NOWHERE });
  expect(String(error)).toMatch(/127\.0\.0\.1:9 does not answer .*check the address/s);
  expect(await runningServer(options.dataDir)).toBeUndefined();
});

test('a worker that cannot connect says the same', async () => {
  const nowhere = { kind: 'named', address: NOWHERE, connectionOptions: {} } as const;
  await expect(connectWorker(nowhere)).rejects.toBeInstanceOf(ServerUnreachableError);
});

test('settings of Temporal that cannot be read are a usage error, not a started server', async () => {
  await expect(openCluster(openingWith({ TEMPORAL_PROFILE: 'gone' }, true))).rejects.toBeInstanceOf(SettingError);
  const broken = profileFile('[profile.default\n');
  await expect(openCluster(openingWith({ TEMPORAL_CONFIG_FILE: broken }, true))).rejects.toThrow('cannot be read');
});

test('where none is named and none may be started, a running one is joined and a missing one is an error', async () => {
  const { dataDir, address } = await testServer();
  const joined = await openCluster({ ...openingWith({}), dataDir });
  expect(joined).toMatchObject({ kind: 'embedded', address, startedByUs: false });
  await joined.release();
  await expect(openCluster(openingWith({}))).rejects.toThrow('No Temporal server runs on the data in');
});
