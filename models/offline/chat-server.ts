import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isJsonObject } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** One request for a completion. `closed` is aborted when the other side goes away before it has its answer. */
export interface Exchange {
  readonly body: JsonObject;
  readonly response: ServerResponse;
  readonly closed: AbortSignal;
}

export interface ChatServerParts {
  /** Models that `GET /v1/models` lists. */
  readonly models: readonly string[];
  readonly complete: (exchange: Exchange) => Promise<void> | void;
  /** Further routes: true when this one was answered. */
  readonly other?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** 0 or absent: a free one. */
  readonly port?: number;
}

export interface ChatServer {
  /** What goes into OPENAI_BASE_URL: `http://127.0.0.1:<port>/v1`. */
  readonly baseURL: string;
  /** Ends every open connection and frees the port. */
  close(): Promise<void>;
}

/** The HTTP side of Chat Completions on 127.0.0.1. Rejects when the port is taken. */
export async function startChatServer(parts: ChatServerParts): Promise<ChatServer> {
  const server = createServer((request, response) => {
    route(parts, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendError(response, 500, { message: `The model server failed: ${String(error)}`, type: 'server_error' });
    });
  });
  server.listen(parts.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return { baseURL: `http://127.0.0.1:${portOf(server)}/v1`, close: () => close(server) };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model server has no port');
  return address.port;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

async function route(parts: ChatServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  if (request.method === 'GET' && path === '/v1/models') {
    return sendJson(response, 200, { object: 'list', data: parts.models.map((id) => ({ id, object: 'model', owned_by: 'caseworker' })) });
  }
  if (parts.other?.(request, response)) return;
  if (request.method !== 'POST' || path !== '/v1/chat/completions') {
    return sendError(response, 404, { message: `There is nothing at ${request.method} ${path}.`, type: 'not_found_error' });
  }
  const closed = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) closed.abort();
  });
  const body = parseObject(await readText(request));
  if (!body) return sendError(response, 400, { message: 'The body is no JSON object.', type: 'invalid_request_error' });
  return parts.complete({ body, response, closed: closed.signal });
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) });
}

export interface ApiError {
  readonly message: string;
  readonly type: string;
  readonly param?: string;
  readonly code?: string;
}

export function sendError(response: ServerResponse, status: number, error: ApiError): void {
  sendJson(response, status, { error: { param: null, code: null, ...error } });
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One answer a connection: a server that is ended in a test then leaves no half-open connection in the client's pool. */
export function send(response: ServerResponse, { status, headers, text }: RawAnswer): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { connection: 'close', ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
