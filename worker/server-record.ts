import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from './atomic-file.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { parseObject, readIdentity } from './process-identity.ts';
import type { Ports } from './server-process.ts';

/** The embedded server of a data folder, as `server.json` there says. */
export interface RunningServer {
  readonly process: ProcessIdentity;
  readonly address: string;
  readonly uiUrl: string;
}

export function writeRecord(dir: string, { process, address, uiUrl }: RunningServer): void {
  const record = { ...process, address, uiUrl, startedAt: new Date().toISOString() };
  writeFileAtomically(recordPath(dir), JSON.stringify(record, undefined, 2));
}

/** @returns undefined when there is none, or none that can be read. */
export function readRecord(dir: string): RunningServer | undefined {
  const text = readIfThere(recordPath(dir));
  const identity = readIdentity(text);
  const { address, uiUrl } = parseObject(text) ?? {};
  if (identity === undefined || typeof address !== 'string' || typeof uiUrl !== 'string') return undefined;
  return { process: identity, address, uiUrl };
}

/** The ports that it had: after a crash the next server takes them, so that workers find it by themselves. */
export function portsOf(server: RunningServer | undefined): Ports | undefined {
  if (server === undefined) return undefined;
  const [grpc, ui] = [portIn(server.address), portIn(server.uiUrl)];
  return grpc === undefined || ui === undefined ? undefined : { grpc, ui };
}

function portIn(address: string): number | undefined {
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export function removeRecord(dir: string): void {
  rmSync(recordPath(dir), { force: true });
}

function recordPath(dir: string): string {
  return join(dir, 'server.json');
}
