import { RESERVED_TOOL_NAMES, RESERVED_TOOL_PREFIX } from '../core/names.ts';

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** Why a tool cannot have this name, with what to do; nothing when it can. */
export function toolNameProblem(name: string): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return `${JSON.stringify(String(name).slice(0, 80))} is no tool name: 1 to 64 letters, digits, "_", "-" or ".", not starting with "-" or ".".`;
  }
  const lower = name.toLowerCase();
  const isTaken = RESERVED_TOOL_NAMES.some((taken) => taken.toLowerCase() === lower) || lower.startsWith(RESERVED_TOOL_PREFIX);
  // Names of every object's own (`toString`, `__proto__`) are what a model makes up and what look-ups trip over.
  if (isTaken || name in {}) return `The tool name "${name}" is taken by the loop itself: choose another, e.g. "${name.replace(/^_+/, '')}_tool".`;
  return undefined;
}
