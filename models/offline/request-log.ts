import { createHash } from 'node:crypto';
import type { JsonObject } from '../../core/json.ts';
import type { ScriptedRequest } from './script.ts';
import { scriptKey, turnOf } from './turn-of.ts';

/** A request that came, and what became of it. */
export interface RecordedRequest extends ScriptedRequest {
  readonly atMs: number;
  /** `aborted`: the connection ended before the answer was whole, by the other side or by a scripted fault. */
  readonly outcome: 'open' | 'answered' | 'aborted';
}

export interface RequestLog {
  readonly add: (body: JsonObject) => Added;
  readonly all: () => readonly RecordedRequest[];
  readonly until: (isTrue: (requests: readonly RecordedRequest[]) => boolean) => Promise<void>;
}

interface Added {
  readonly request: ScriptedRequest;
  /** Other conversations of this key before this one. */
  readonly n: number;
  readonly ended: (outcome: 'answered' | 'aborted') => void;
}

export function requestLog(): RequestLog {
  const requests: RecordedRequest[] = [];
  const conversations = new Map<string, string[]>();
  const waiting = new Set<() => void>();
  const changed = () => waiting.forEach((look) => look());
  return {
    all: () => [...requests],
    add: (body) => {
      const key = scriptKey(body);
      const turn = turnOf(body);
      const attempt = 1 + requests.filter((other) => other.key === key && other.turn === turn).length;
      const request = { key, model: typeof body.model === 'string' ? body.model : '', turn, attempt, body };
      const at = requests.push({ ...request, atMs: Date.now(), outcome: 'open' }) - 1;
      const ended = (outcome: 'answered' | 'aborted') => {
        const record = requests[at];
        if (record?.outcome === 'open') requests[at] = { ...record, outcome };
        changed();
      };
      changed();
      return { request, n: placeOf(conversations, request), ended };
    },
    until: (isTrue) => new Promise((resolve) => {
      const look = () => {
        if (!isTrue([...requests])) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    }),
  };
}

/** The same messages again are the same conversation: a call that is made again, whatever its other parameters. */
function placeOf(conversations: Map<string, string[]>, { key, body }: ScriptedRequest): number {
  const known = conversations.get(key) ?? [];
  const digest = createHash('sha256').update(JSON.stringify(body.messages ?? null)).digest('hex');
  if (!known.includes(digest)) known.push(digest);
  conversations.set(key, known);
  return known.indexOf(digest);
}
