import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** Variables that would lead a test to somebody's own server, model or agents. */
const OWN = /^(TEMPORAL_|CASEWORKER_(?!TEMPORAL|TEST)|OPENAI_|NO_COLOR|FORCE_COLOR)/;

/** Runs the real command in a process of its own, as a person would. */
export async function runCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN.test(name)));
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout: await stdout, stderr: await stderr };
}

async function collected(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += String(chunk);
  return text;
}
