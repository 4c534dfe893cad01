import { execFile } from 'node:child_process';
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Executable } from './executable.ts';
import { parseObject } from './process-identity.ts';

const run = promisify(execFile);
/** The service that Temporal's SDKs download their dev and test servers from; the CLI's page names it too. */
const DOWNLOAD_URL = 'https://temporal.download';
/** A closed network must cost little: the next way is tried after this. */
const CONNECT_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 240_000;
const REPORT_EVERY_PERCENT = 20;

export interface DownloadOptions {
  readonly report: (message: string) => void;
  readonly downloadUrl?: string;
}

/**
 * Gets a server program where the SDK gets it, and puts it in place whole or not at all. The service's answer is
 * trusted because it comes over TLS, as the SDK trusts it.
 * @throws Error that says which step failed.
 */
export async function downloadExecutable(executable: Executable, into: string, options: DownloadOptions): Promise<void> {
  const info = await askForArchive(executable, options.downloadUrl ?? DOWNLOAD_URL);
  mkdirSync(dirname(into), { recursive: true });
  const dir = mkdtempSync(`${into}.`);
  try {
    const archive = join(dir, 'archive');
    await downloadTo(archive, info.archiveUrl, { title: executable.name, report: options.report });
    // tar of every system here reads both tar.gz and, on Windows, zip.
    await run('tar', ['-xf', archive, '-C', dir, info.fileToExtract]);
    const program = join(dir, info.fileToExtract);
    chmodSync(program, 0o755);
    renameSync(program, into);
    options.report(`Fetched ${executable.name} into ${into}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

interface ArchiveInfo {
  readonly archiveUrl: string;
  readonly fileToExtract: string;
}

async function askForArchive(executable: Executable, downloadUrl: string): Promise<ArchiveInfo> {
  const url = new URL(`${downloadUrl}/${executable.artifact}/default`);
  url.searchParams.set('arch', process.arch === 'x64' ? 'amd64' : process.arch);
  url.searchParams.set('platform', process.platform === 'win32' ? 'windows' : process.platform);
  url.searchParams.set('format', process.platform === 'win32' ? 'zip' : 'tar.gz');
  url.searchParams.set('sdk-name', 'sdk-typescript');
  const response = await request(url, CONNECT_TIMEOUT_MS);
  const info = parseObject(await response.text());
  const { archiveUrl, fileToExtract } = info ?? {};
  if (typeof archiveUrl !== 'string' || typeof fileToExtract !== 'string' || !isPlainPath(fileToExtract)) {
    throw new Error(`${url.host} did not name an archive`);
  }
  return { archiveUrl, fileToExtract };
}

/** The name goes into a path and to tar: it must stay inside the folder and be no option. */
function isPlainPath(path: string): boolean {
  return basename(path) !== '' && !path.startsWith('/') && !path.startsWith('-') && !path.split(/[/\\]/).includes('..');
}

async function downloadTo(
  path: string,
  archiveUrl: string,
  { title, report }: { readonly title: string; readonly report: (message: string) => void },
): Promise<void> {
  const response = await request(new URL(archiveUrl), DOWNLOAD_TIMEOUT_MS);
  if (response.body === null) throw new Error(`${archiveUrl} is empty`);
  const total = Number(response.headers.get('content-length') ?? 0);
  report(`Fetching ${title}${total > 0 ? ` (${Math.round(total / 1e6)} MB)` : ''} from ${new URL(archiveUrl).host} …`);
  await pipeline(response.body, reportProgress(total, (percent) => report(`… ${title}: ${percent} %`)), createWriteStream(path));
}

function reportProgress(total: number, report: (percent: number) => void) {
  return async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    let next = REPORT_EVERY_PERCENT;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      const percent = total > 0 ? Math.floor((bytes * 100) / total) : 0;
      if (percent >= next) {
        report(percent);
        next = percent - (percent % REPORT_EVERY_PERCENT) + REPORT_EVERY_PERCENT;
      }
      yield chunk;
    }
  };
}

async function request(url: URL, timeoutMs: number): Promise<Response> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new Error(`${url.host} does not answer (${error instanceof Error ? error.message : String(error)}${cause})`);
  }
}
