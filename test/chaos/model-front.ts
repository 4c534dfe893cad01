import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatMessages } from '../../models/offline/chat-body.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Watch } from './auditor.ts';

/** One request of a worker, and whether the other side got the whole reply. */
export interface ModelCall {
  readonly worker: string;
  readonly atMs: number;
  answeredMs?: number;
}

export interface ModelFront {
  /** Workers ask at `<url>/<worker>/v1`. */
  readonly url: string;
  /** Whole replies that were sent, by run. */
  replies(): ReadonlyMap<string, number>;
  /** All requests for a run, in the order in which they came. */
  calls(run: string): readonly ModelCall[];
  /** How it misbehaves from now on. */
  flap(how: 'none' | 'drop' | 'busy' | 'hang'): void;
  close(): Promise<void>;
}

/** The model as the workers reach it: counts what it has billed for, fails when it is told to, and tells who asks. */
export async function openModelFront(target: string, watch: Watch, sees: (call: { readonly worker: string; readonly run: string }) => void): Promise<ModelFront> {
  const calls = new Map<string, ModelCall[]>();
  let how: Parameters<ModelFront['flap']>[0] = 'none';
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const worker = (request.url ?? '').split('/')[1] ?? '';
    const text = await textOf(request);
    const run = RUN.exec(chatMessages(objectOf(text)).map((message) => message.text).join('\n'))?.[1] ?? '';
    const call: ModelCall = { worker, atMs: Date.now() };
    calls.set(run, [...(calls.get(run) ?? []), call]);
    sees({ worker, run });
    if (watch('in_model', worker)) return;
    if (how === 'hang') return;
    if (how === 'drop') return void response.destroy();
    if (how === 'busy') return void response.writeHead(503).end('{"error":{"message":"busy"}}');
    const answer = await fetch(`${target}/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
    const body = await answer.text();
    // Finished is when the other side has it all: what a killed worker asked for was never delivered.
    response.once('finish', () => {
      call.answeredMs = Date.now();
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    replies: () => new Map([...calls].map(([run, made]) => [run, made.filter(({ answeredMs }) => answeredMs !== undefined).length])),
    calls: (run) => calls.get(run) ?? [],
    flap: (next) => {
      how = next;
      // What hangs would hang until its time-out; the end of the flapping ends it.
      if (next === 'none') server.closeAllConnections();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const RUN = /\bscript:([A-Za-z0-9._-]+)/;

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts).toString();
}

function objectOf(text: string): Parameters<typeof chatMessages>[0] {
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}
