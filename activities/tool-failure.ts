import { ToolUnavailable } from '../tools/unavailable.ts';

/** What an error of a tool means, whatever library threw it. */
export type ToolFailure =
  /** The other side's answer, or a mistake in the call: the model reads it, a second attempt would bring the same. */
  | { readonly kind: 'expected'; readonly text: string }
  /** The other side cannot be reached now. `isSent`: the request may have arrived. */
  | { readonly kind: 'unavailable'; readonly text: string; readonly isSent: boolean };

interface Row {
  readonly matches: (error: ErrorFacts) => boolean;
  readonly failure: { readonly kind: 'unavailable'; readonly isSent: boolean };
}

interface ErrorFacts {
  readonly name: string;
  readonly code: string;
  readonly status: number | undefined;
}

/** No connection was made, so nothing can have arrived. */
const NOT_SENT_CODES = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
const LOST_CODES = ['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE'];
/** Time-outs of the tool's own, made with `AbortSignal.timeout` or an AbortController. */
const LOST_NAMES = ['TimeoutError', 'AbortError'];

/** The first row that matches decides; an error that no row matches is expected. */
const TABLE: readonly Row[] = [
  { matches: ({ code }) => NOT_SENT_CODES.includes(code), failure: { kind: 'unavailable', isSent: false } },
  // Turned away at the door: a server that limits its callers has not begun to work.
  { matches: ({ status }) => status === 429, failure: { kind: 'unavailable', isSent: false } },
  { matches: ({ code }) => LOST_CODES.includes(code) || code.startsWith('UND_ERR_'), failure: { kind: 'unavailable', isSent: true } },
  { matches: ({ name }) => LOST_NAMES.includes(name), failure: { kind: 'unavailable', isSent: true } },
  { matches: ({ status = 0 }) => status === 408 || (status >= 500 && status < 600), failure: { kind: 'unavailable', isSent: true } },
];

/** `fetch` hides the reason in its cause, a connection to several addresses in a list; deeper than this is no real error. */
const DEPTH_MAX = 5;

export function toolFailure(error: unknown): ToolFailure {
  const chain = errorChain(error);
  const text = safeMessage(chain);
  if (chain.some((one) => one instanceof ToolUnavailable)) return { kind: 'unavailable', text, isSent: true };
  const facts = chain.map(factsOf);
  const row = TABLE.find(({ matches }) => facts.some(matches));
  return row ? { ...row.failure, text } : { kind: 'expected', text };
}

function errorChain(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let next = error;
  while (next !== undefined && next !== null && chain.length < DEPTH_MAX) {
    chain.push(next);
    next = read(next, 'cause') ?? (next instanceof AggregateError ? next.errors[0] : undefined);
  }
  return chain;
}

function factsOf(error: unknown): ErrorFacts {
  const { name, code } = { name: read(error, 'name'), code: read(error, 'code') };
  const status = read(error, 'status') ?? read(error, 'statusCode') ?? read(read(error, 'response'), 'status');
  return {
    name: typeof name === 'string' ? name : '',
    code: typeof code === 'string' ? code : '',
    status: typeof status === 'number' ? status : undefined,
  };
}

/** A property of anything; an error whose getters throw is odd, but no reason to lose the observation. */
function read(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

const MESSAGE_MAX = 1_000;

/** The messages of an error and of what caused it, without stacks, internal addresses and secrets. */
function safeMessage(chain: readonly unknown[]): string {
  const messages = chain.map((error) => {
    const message = typeof error === 'string' ? error : read(error, 'message');
    return typeof message === 'string' && message.trim() !== '' ? message : factsOf(error).code;
  });
  const different = [...new Set(messages.filter((message) => message !== ''))];
  return withoutInternals(different.join(': ')) || 'it failed without saying why';
}

/** Machine names, addresses, ports, stack lines and credentials of a text replaced; what is left is for a model to read. */
export function withoutInternals(text: string): string {
  return text
    .slice(0, 4 * MESSAGE_MAX)
    .split('\n')
    .filter((line) => !/^\s{0,20}at\s/.test(line))
    .join(' ')
    .replace(/\b(authorization|api[-_]?key|access[-_]?token|token|password|passwd|secret|cookie)\b["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic)\s)?[^\s"',;]{1,500}/gi, '$1: (hidden)')
    .replace(/\bbearer\s[^\s"',;]{1,500}/gi, '(hidden)')
    .replace(/(https?:\/\/)[^\s/@]{1,200}@/gi, '$1')
    .replace(/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH)\s[^\s,;]{1,260}/g, '$1')
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, HOST)
    .replace(/\[[0-9a-f:]{2,45}\](?::\d{1,5})?/gi, HOST)
    .replace(/\blocalhost(?::\d{1,5})?\b/gi, HOST)
    .replace(/\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.(?:internal|local|lan|corp|intranet|svc|cluster)\b(?::\d{1,5})?/gi, HOST)
    .replace(/\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}:\d{2,5}\b/gi, HOST)
    .replace(/\s{1,200}/g, ' ')
    .trim()
    .slice(0, MESSAGE_MAX);
}

const HOST = 'the server';
