import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of a hundredth of a second. */
const TICK_MS = 10;

/** Processor time that a process has used, milliseconds; `undefined` where the system does not tell (not Linux). */
export function cpuMs(pid: number): number | undefined {
  const fields = statFields(pid);
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The same with all children, those that have ended included: a database with a process for each connection. */
export function treeCpuMs(pid: number): number | undefined {
  const own = statFields(pid);
  if (!own) return undefined;
  const ended = (Number(own[13]) + Number(own[14])) * TICK_MS;
  const living = childrenOf(pid).reduce((sum, child) => sum + (treeCpuMs(child) ?? 0), 0);
  return (cpuMs(pid) ?? 0) + ended + living;
}

/** Memory that a process holds, bytes. */
export function residentBytes(pid: number): number | undefined {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '');
  return line ? Number(line[1]) * 1024 : undefined;
}

function childrenOf(pid: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.filter((other) => Number(statFields(other)?.[1]) === pid);
}

/** Fields behind the name, which may hold blanks itself. */
function statFields(pid: number): readonly string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
