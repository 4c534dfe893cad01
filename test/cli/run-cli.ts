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
export function runCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  return startCli(args, env).ended;
}

export interface RunningCli {
  readonly ended: Promise<CliResult>;
  /** Resolves, with all that was said since it was asked, once the command has said this on standard error. */
  said(text: string): Promise<string>;
  interrupt(): void;
  /** Nobody reads what it writes any more, as after `| head`. */
  stopReading(): void;
  /** It gets no chance to say anything, or to tidy up. */
  kill(): void;
}

export function startCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCli {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN.test(name)));
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    env: { ...inherited, TEMPORAL_CONFIG_FILE: '/nonexistent/temporal.toml', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    ended: closed.then(async (code) => ({ code, stdout: await stdout, stderr: await stderr })),
    interrupt: () => child.kill('SIGINT'),
    stopReading: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    kill: () => child.kill('SIGKILL'),
    said: (text) =>
      new Promise((resolve, reject) => {
        let heard = '';
        child.stderr.on('data', (chunk: string) => {
          heard += chunk;
          if (heard.includes(text)) resolve(heard);
        });
        void closed.then(() => reject(new Error(`the command ended without saying "${text}", but: ${heard}`)));
      }),
  };
}

function collected(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text += chunk;
  });
  return new Promise((resolve) => stream.once('close', () => resolve(text)));
}
