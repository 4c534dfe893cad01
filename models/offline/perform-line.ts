import type { JsonObject } from '../../core/json.ts';
import { send, sendJson } from './chat-server.ts';
import type { Exchange } from './chat-server.ts';
import { completion } from './completion.ts';
import type { Line, ScriptedFault } from './script.ts';

/** Answers a request as a line says. What is left hanging ends when the other side or the server closes. */
export function performLine({ body, response }: Exchange, line: Line): void {
  if ('fault' in line) return performFault({ body, response }, line.fault);
  if ('status' in line) return sendStatus({ response }, line);
  if ('raw' in line) return sendJson(response, 200, line.raw);
  return sendJson(response, 200, completion(body, line));
}

type Answering = Pick<Exchange, 'body' | 'response'>;

function performFault({ body, response }: Answering, fault: Extract<ScriptedFault, { fault: string }>['fault']): void {
  switch (fault) {
    case 'hang': return;
    case 'drop': return void response.destroy();
    case 'stall': return sendHalf({ body, response }, () => undefined);
    case 'reset': return sendHalf({ body, response }, () => response.destroy());
    case 'cut': return send(response, { status: 200, headers: { 'content-type': 'application/json' }, text: half(body) });
    case 'html': return send(response, {
      status: 200, headers: { 'content-type': 'text/html' }, text: '<!doctype html><html><body><h1>Welcome to the proxy</h1></body></html>',
    });
    case 'empty_body': return send(response, { status: 200, headers: { 'content-type': 'application/json' }, text: '' });
  }
}

function sendStatus({ response }: Pick<Exchange, 'response'>, { status, headers, body }: Extract<ScriptedFault, { status: number }>): void {
  if (typeof body === 'string') return send(response, { status, headers: { 'content-type': 'text/plain', ...headers }, text: body });
  const text = JSON.stringify(body ?? { error: { message: `Scripted status ${status}.`, type: 'scripted', param: null, code: null } });
  return send(response, { status, headers: { 'content-type': 'application/json', ...headers }, text });
}

/** The length promises more than comes, so that the other side knows that it has not got all. */
function sendHalf({ body, response }: Answering, then: () => void): void {
  const text = half(body);
  response.writeHead(200, { connection: 'close', 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) * 2 });
  response.write(text, then);
}

function half(body: JsonObject): string {
  const whole = JSON.stringify(completion(body, { text: 'This reply is never finished.' }));
  return whole.slice(0, Math.floor(whole.length / 2));
}
