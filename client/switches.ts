import { SWITCH_PREFIX, switchKey, type SwitchRecord } from '../core/contract.ts';
import { isJsonObject } from '../core/json.ts';
import type { Person } from '../core/run.ts';
import { UsageError } from './errors.ts';
import type { ServerAccess } from './server-access.ts';

/** An agent, or one tool of it, and whether it may be used. */
export interface Switch extends SwitchRecord {
  readonly agent: string;
  readonly tool?: string;
}

export interface SwitchRequest {
  readonly agent: string;
  /** Absent: the agent as a whole. */
  readonly tool?: string;
  readonly by: Person;
  readonly reason?: string;
}

/**
 * Switches agents and tools off and on, for running runs too: every model call and every tool call looks first, and
 * what is off becomes a hand-over. They are kept where workers keep their blobs, so both must use the same store.
 */
export interface Switches {
  /** @throws UsageError without a reason */
  disable(request: SwitchRequest & { readonly reason: string }): Promise<Switch>;
  enable(request: SwitchRequest): Promise<Switch>;
  /** All that were ever switched, those that are off first. */
  list(): Promise<readonly Switch[]>;
}

/** Switches need no server: only the store that the workers read. */
type SwitchAccess = Pick<ServerAccess, 'blobs'>;

export function createSwitches(access: SwitchAccess): Switches {
  const write = async ({ agent, tool, by, reason = '' }: SwitchRequest, off: boolean): Promise<Switch> => {
    const record: SwitchRecord = { off, by: by.name, reason, atMs: Date.now() };
    await storeOf(access).put(switchKey(agent, tool), JSON.stringify(record));
    return { agent, ...(tool === undefined ? {} : { tool }), ...record };
  };
  return {
    disable: async (request) => {
      if (request.reason.trim() === '') throw new UsageError('Say why: the persons who get its runs read it.');
      return write(request, true);
    },
    enable: (request) => write(request, false),
    list: () => listSwitches(access),
  };
}

async function listSwitches(access: SwitchAccess): Promise<readonly Switch[]> {
  const store = storeOf(access);
  const found: Switch[] = [];
  for (const key of await store.list(SWITCH_PREFIX)) {
    const place = placeOf(key);
    const record = recordOf(await store.get(key));
    if (place && record) found.push({ ...place, ...record });
  }
  return found.sort((a, b) => Number(b.off) - Number(a.off) || b.atMs - a.atMs);
}

/** The opposite of `switchKey`. */
function placeOf(key: string): Pick<Switch, 'agent' | 'tool'> | undefined {
  const [, agent, tool] = /^switches\/([^/]+)\/(?:agent|tools\/([^/]+))\.json$/.exec(key) ?? [];
  if (agent === undefined) return undefined;
  return { agent: decodeURIComponent(agent), ...(tool === undefined ? {} : { tool: decodeURIComponent(tool) }) };
}

function recordOf(text: string | undefined): SwitchRecord | undefined {
  const value = parsed(text ?? '');
  if (!isJsonObject(value)) return undefined;
  const { off, by, reason, atMs } = value;
  const isRecord = typeof off === 'boolean' && typeof by === 'string' && typeof reason === 'string' && typeof atMs === 'number';
  return isRecord ? { off, by, reason, atMs } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function storeOf({ blobs }: SwitchAccess): NonNullable<SwitchAccess['blobs']> {
  if (!blobs) throw new UsageError('No blob store is set here, and switches are kept in that of the workers.');
  return blobs;
}
