import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A moment of a worker's life that the harness can choose to kill it in. */
export type Moment = 'before_effect' | 'approved' | 'after_effect' | 'archiving' | 'continuing' | 'in_model' | 'looking';

/** Told of each moment as it comes; true when the worker was killed in it, and so waits for nothing any more. */
export type Watch = (moment: Moment, worker: string) => boolean;

/** One effect in the world. */
export interface LedgerLine {
  readonly effect: string;
  readonly tool: string;
  readonly key: string;
  readonly worker: string;
  readonly atMs: number;
}

export interface Auditor {
  readonly url: string;
  /** What the file holds. */
  ledger(): readonly LedgerLine[];
  /** Times that a known key came again and was answered with its first outcome. */
  repeats(): number;
  close(): Promise<void>;
}

/**
 * The world outside of Temporal: a ledger in a file that is only ever appended to. Like a payment provider it knows an
 * idempotent call by its key; a call that may happen once it does each time it is asked.
 */
export async function openAuditor(file: string, watch: Watch, sees: (call: { readonly worker: string; readonly about: string }) => void): Promise<Auditor> {
  writeFileSync(file, '');
  const known = new Set<string>();
  let repeats = 0;

  const doEffect = (body: Body): string => {
    const { effect = '', tool = '', key = '', worker = '' } = body;
    if (tool !== 'pay' && known.has(key)) {
      repeats += 1;
      return `done: ${effect}`;
    }
    known.add(key);
    const line: LedgerLine = { effect, tool, key, worker, atMs: Date.now() };
    appendFileSync(file, `${JSON.stringify(line)}\n`, { flush: true });
    return `done: ${effect}`;
  };

  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const worker = body.worker ?? '';
    sees({ worker, about: body.effect ?? body.at ?? '' });
    switch (request.url) {
      case '/looks': {
        if (!watch('looking', worker)) response.end(`seen ${body.at ?? ''}`);
        return;
      }
      case '/archiving': {
        if (!watch('archiving', worker)) response.end('go on');
        return;
      }
      case '/archived': {
        response.end('go on', () => watch('continuing', worker));
        return;
      }
      default: {
        // What a person approved has begun and not happened: the moment between the yes and the deed.
        if (watch(body.tool === 'sign' ? 'approved' : 'before_effect', worker)) return;
        const text = doEffect(body);
        if (!watch('after_effect', worker)) response.end(text);
      }
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ledger: () => readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as LedgerLine),
    repeats: () => repeats,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Body {
  readonly worker?: string;
  readonly effect?: string;
  readonly at?: string;
  readonly tool?: string;
  readonly key?: string;
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString() || '{}') as Body;
}
