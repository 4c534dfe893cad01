import type { ErrorBody } from '../api/api-error.ts';

/** What the API refused, with its kind; `lost` when it did not answer at all. */
export class ApiFailure extends Error {
  readonly kind: ErrorBody['error']['kind'] | 'lost';

  constructor(kind: ApiFailure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

const TOKEN = 'caseworker-token';

/** Kept for this tab only: a page that is left behind signs nobody in. */
export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

function headers(): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return read<T>(await reach(path, { headers: headers(), ...(signal ? { signal } : {}) }));
}

export async function post<T>(path: string, body: object): Promise<T> {
  return read<T>(await reach(path, {
    method: 'POST', headers: { ...headers(), 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  }));
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...request, cache: 'no-store' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiFailure('lost', 'The console does not answer.');
  }
}

async function read<T>(response: Response): Promise<T> {
  const value: unknown = await response.json().catch(() => undefined);
  if (response.ok) return value as T;
  throw failureOf(value, response.status);
}

function failureOf(value: unknown, status: number): ApiFailure {
  const error = typeof value === 'object' && value !== null && 'error' in value ? (value as ErrorBody).error : undefined;
  return new ApiFailure(error?.kind ?? 'internal', error?.message ?? `The console answered with status ${status}.`);
}

export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Server-sent events, read with `fetch` because an EventSource cannot carry a token. Ends when the server ends it. */
export async function* events(path: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const response = await reach(path, { headers: headers(), signal });
  if (!response.ok || !response.body) {
    await read(response);
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        if (signal.aborted) return { done: true, value: undefined };
        throw new ApiFailure('lost', error instanceof Error ? error.message : 'The connection broke.');
      });
      if (done) return;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) yield eventOf(part);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function eventOf(text: string): StreamEvent {
  const lines = text.split('\n');
  const field = (name: string): string => lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim()).join('\n');
  return { event: field('event') || 'message', data: JSON.parse(field('data') || 'null') };
}
