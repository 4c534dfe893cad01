import { BUILT_IN } from './names.ts';
import type { ReadableTool } from './call-arguments.ts';

/** Models of one vendor put this before the names of the functions that they were given. */
const PREFIX = 'functions.';
/** The ReAct paper's own name for the last action (arXiv 2210.03629, appendix C); `Finish` there. */
const FINISH = 'finish';

const BUILT_IN_NAMES: readonly string[] = Object.values(BUILT_IN);

/**
 * The tool or built-in action that a written name stands for. A prefix falls only when the rest is an exact name; what is
 * neither a tool nor built in keeps its own, so that the model is told of the name that it wrote.
 */
export function resolveName(written: string, tools: readonly ReadableTool[]): string {
  const name = written.trim();
  if (isTool(name, tools)) return name;
  // A full stop at the end of the line is the sentence's.
  if (name.endsWith('.') && isTool(name.slice(0, -1), tools)) return name.slice(0, -1);
  const rest = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
  if (isTool(rest, tools)) return rest;
  const lower = rest.toLowerCase();
  if (lower === FINISH) return BUILT_IN.finalAnswer;
  return BUILT_IN_NAMES.includes(lower) ? lower : name;
}

export function isTool(name: string, tools: readonly ReadableTool[]): boolean {
  return tools.some((tool) => tool.name === name);
}

export function isBuiltIn(name: string): boolean {
  return BUILT_IN_NAMES.includes(name);
}
