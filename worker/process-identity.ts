import { readFileSync } from 'node:fs';

/** A process for as long as it lives. The start time tells it from a later process that got the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot, from /proc; absent where there is no /proc. */
  readonly startTime?: string;
}

export function thisProcess(): ProcessIdentity {
  return identityOf(process.pid);
}

export function identityOf(pid: number): ProcessIdentity {
  const startTime = procStat(pid)?.startTime;
  return startTime === undefined ? { pid } : { pid, startTime };
}

/** False for one that ended, for one that ended and was not yet collected, and when another process has its id now. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (!acceptsSignals(identity.pid)) return false;
  const stat = procStat(identity.pid);
  if (stat === undefined) return true;
  if (stat.state === 'Z' || stat.state === 'X') return false;
  return identity.startTime === undefined || identity.startTime === stat.startTime;
}

/** @returns undefined when the text is not one that `JSON.stringify` made of an identity. */
export function readIdentity(text: string): ProcessIdentity | undefined {
  const value = parseObject(text);
  const pid = value?.['pid'];
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const startTime = value?.['startTime'];
  return typeof startTime === 'string' ? { pid, startTime } : { pid };
}

/** A JSON text as an object, or undefined: files of other processes may be cut or old. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function acceptsSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Fields 3 and 22 of /proc/PID/stat (proc_pid_stat(5)). The name before them may hold blanks and brackets. */
function procStat(pid: number): { readonly state: string; readonly startTime: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, startTime] = [fields[0], fields[19]];
    return state === undefined || startTime === undefined ? undefined : { state, startTime };
  } catch {
    return undefined;
  }
}
