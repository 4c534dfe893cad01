import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { newestRecord, TOOL, taskIn } from './task.ts';
import type { Task } from './task.ts';

/**
 * A model that answers at once, as a process of its own: OpenAI-compatible, one rule. It notes when each request came and
 * how large it was: `GET /requests/<key>`. Prints its address as a line of JSON and runs until it gets a signal.
 */
export interface SeenRequest {
  readonly atMs: number;
  readonly bytes: number;
  /** Number of the record that it answers with; one more than the run's turns for the last. */
  readonly next: number;
}

const seen = new Map<string, SeenRequest[]>();

const server = createServer((request, response) => {
  const url = request.url ?? '/';
  if (request.method === 'GET' && url.startsWith('/requests/')) return json(response, seen.get(decodeURIComponent(url.slice(10))) ?? []);
  void textOf(request).then((body) => complete(response, body));
});
server.keepAliveTimeout = 60_000;
// Its stdin ends with the bench, also with one that is killed.
process.stdin.on('end', () => process.exit(0)).resume();
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`${JSON.stringify({ baseURL: `http://127.0.0.1:${address.port}/v1` })}\n`);
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function complete(response: ServerResponse, body: string): void {
  const atMs = performance.timeOrigin + performance.now();
  const task = taskIn(body);
  if (!task) return json(response, { error: { message: 'no task in this conversation', type: 'invalid_request_error' } }, 400);
  const next = newestRecord(body) + 1;
  const requests = seen.get(task.key) ?? [];
  requests.push({ atMs, bytes: Buffer.byteLength(body), next });
  seen.set(task.key, requests);
  if (next === task.holdAt) return;
  json(response, completion(task, next, body));
}

function completion(task: Task, next: number, body: string): unknown {
  const isText = !body.includes('"tools":');
  const message = next > task.turns ? answer(isText) : next === task.askAt ? call('ask_person', { question: 'Which record is next?' }) : isText ? textCall(next) : call(TOOL.name, { n: next });
  const tokens = Math.ceil(Buffer.byteLength(body) / 4);
  return {
    id: `chatcmpl-${next}`, object: 'chat.completion', created: 0, model: 'bench',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 },
  };
}

const THOUGHT = 'The next record is needed.';

function answer(isText: boolean): object {
  return { content: isText ? 'Thought: All is read.\nFinal Answer: All records are read.' : 'All records are read.' };
}

function textCall(n: number): object {
  return { content: `Thought: ${THOUGHT}\nAction: ${TOOL.name}\nAction Input: ${JSON.stringify({ n })}` };
}

function call(name: string, args: object): object {
  const id = `call_${JSON.stringify(args).replace(/\W/g, '')}`;
  return { content: THOUGHT, tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] };
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}
