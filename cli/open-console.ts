import { readFile } from 'node:fs/promises';
import { parseJwtConfig } from '../console/api/auth-config.ts';
import type { Auth, RunningConsole } from '../console/api/serve-console.ts';
import { UsageError } from '../client/errors.ts';
import { loadAgents, loadSettings } from './config.ts';
import { errorText } from './error-text.ts';
import { personHere } from './person.ts';
import type { Session } from './session.ts';
import { VERSION } from './version.ts';

export const CONSOLE_PORT = 8788;
const LOOPBACK = '127.0.0.1';

export interface OpenConsole {
  readonly say: (message: string) => void;
  readonly port: number;
  readonly host?: string;
  /** Where the port is taken, any free one will do. */
  readonly orFreePort?: boolean;
  /** File that says whose tokens are let in. */
  readonly authFile?: string;
  /** Roles that the local user decides with. */
  readonly roles?: readonly string[];
  /** Module of agents that an option names. */
  readonly agents?: string;
}

/** Serves the operators' page over a session's server. */
export async function openConsole(session: Session, options: OpenConsole): Promise<RunningConsole> {
  const { say, host = LOOPBACK, port, orFreePort = false } = options;
  // Loaded only now: most commands serve nothing, and a web server takes its time to load.
  const { serveConsole } = await import('../console/api/serve-console.ts');
  const { pageDir } = await import('../console/build-page.ts');
  const serve = async (at: number): Promise<RunningConsole> => serveConsole({
    server: session.server, host, port: at, version: VERSION,
    auth: await authOf(options),
    pageDir: await pageDir(say),
    agents: session.agents.length > 0 ? session.agents : await agentNames(options),
    webUiOf: (id) => session.webUiOf(id).webUi,
    log: (error) => say(`Console: ${errorText(error)}`),
  });
  try {
    return await serve(port);
  } catch (error) {
    if (orFreePort && error instanceof UsageError && isPortTaken(error.cause)) return serve(0);
    throw error;
  }
}

/** The page beside something else that is wanted more: where it cannot be served, that is said and the rest goes on. */
export async function openConsoleBeside(session: Session, say: OpenConsole['say']): Promise<Partial<RunningConsole>> {
  try {
    return await openConsole(session, { say, port: CONSOLE_PORT, orFreePort: true });
  } catch (error) {
    say(`The operators' page is not up: ${errorText(error)}`);
    return {};
  }
}

/** Address of one run on the page. */
export function runPage(url: string, id: string): string {
  return `${url}/#/run/${encodeURIComponent(id)}`;
}

async function authOf({ authFile = process.env['CASEWORKER_CONSOLE_AUTH'], roles }: OpenConsole): Promise<Auth> {
  if (!authFile) return { kind: 'local', name: personHere(undefined).name, ...(roles ? { roles } : {}) };
  if (roles) throw new UsageError('With sign-in the roles come from the token: leave out --role.');
  return { kind: 'token', config: parseJwtConfig(await jsonFile(authFile)) };
}

async function jsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`The configuration of sign-in cannot be read from ${path}: ${errorText(error)}.`, { cause: error });
  }
}

/** Only suggestions for the form: a console beside a cluster may know none of its agents. */
async function agentNames({ agents }: OpenConsole): Promise<readonly string[]> {
  try {
    const { agentsModule } = await loadSettings(agents === undefined ? {} : { agents });
    return (await loadAgents(agentsModule)).map(({ name }) => name);
  } catch {
    return [];
  }
}

function isPortTaken(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}
