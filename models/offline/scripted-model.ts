import { own } from '../../core/json.ts';
import { startChatServer } from './chat-server.ts';
import type { Exchange } from './chat-server.ts';
import { latches } from './latches.ts';
import type { Latches } from './latches.ts';
import { performLine } from './perform-line.ts';
import { requestLog } from './request-log.ts';
import type { RecordedRequest, RequestLog } from './request-log.ts';
import type { Line, Script, ScriptedRequest, Scripts } from './script.ts';

export interface ScriptedModel {
  readonly baseURL: string;
  /** Every request so far, oldest first. */
  requests(): readonly RecordedRequest[];
  requestsFor(key: string): readonly RecordedRequest[];
  /** Lets go what is held by this name, now and from now on. */
  release(name: string): void;
  /** Resolves once the requests are as wanted; looked at again whenever one comes or ends. Never times out by itself. */
  until(isTrue: (requests: readonly RecordedRequest[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * An OpenAI-compatible server that says a script's lines. The turn is read from the conversation itself, so that a call
 * that is made again hears the same line again. A turn without a line is answered 400 and says so. Over HTTP, for a
 * server in another process: `GET /requests`, `POST /release/<name>`.
 */
export async function startScriptedModel(script: Script | Scripts, options: { readonly port?: number } = {}): Promise<ScriptedModel> {
  const scripts: Scripts = isScript(script) ? { default: script } : script;
  const log = requestLog();
  const held = latches();
  const server = await startChatServer({
    models: Object.keys(scripts),
    complete: (exchange) => answer(exchange, { scripts, log, held }),
    other: (request, response) => {
      const [path] = (request.url ?? '').split('?');
      if (request.method === 'GET' && path === '/requests') {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(log.all()));
      } else if (request.method === 'POST' && path?.startsWith('/release/')) {
        held.open(decodeURIComponent(path.slice('/release/'.length)));
        response.writeHead(204).end();
      } else return false;
      return true;
    },
    ...options,
  });
  return {
    baseURL: server.baseURL,
    requests: () => log.all(),
    requestsFor: (key) => log.all().filter((request) => request.key === key),
    release: (name) => held.open(name),
    until: (isTrue) => log.until(isTrue),
    close: () => server.close(),
  };
}

function isScript(script: Script | Scripts): script is Script {
  return Array.isArray(script) || typeof script === 'function';
}

interface Play {
  readonly scripts: Scripts;
  readonly log: RequestLog;
  readonly held: Latches;
}

async function answer(exchange: Exchange, { scripts, log, held }: Play): Promise<void> {
  const { request, n, ended } = log.add(exchange.body);
  exchange.closed.addEventListener('abort', () => ended('aborted'));
  exchange.response.once('finish', () => ended('answered'));
  const line = lineFor(own(scripts, request.key) ?? own(scripts, 'default'), request, n);
  const fault = line.first?.[request.attempt - 1];
  if (fault) return performLine(exchange, fault);
  if (line.heldBy !== undefined) await held.opened(line.heldBy);
  performLine(exchange, line);
}

function lineFor(script: Script | undefined, request: ScriptedRequest, n: number): Line {
  const line = typeof script === 'function' ? script(request, n) : script?.[request.turn];
  if (line) return line;
  const message = `The script ${request.key} has no line for turn ${request.turn}.`;
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param: null, code: 'script_ended' } } };
}
