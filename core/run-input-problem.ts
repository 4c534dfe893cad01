import { forkProblem } from './fork-problem.ts';
import { utf8Bytes } from './json.ts';
import { limitsProblem } from './limits.ts';
import { isPerson, MAX_TEXT_BYTES } from './payload-problem.ts';

/** The kind of text that an agent's name is made of; it becomes part of ids and search attributes. */
const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * What is wrong with a run's input, with what to do about it; nothing when it can run. Takes anything, since any
 * Temporal client can start a run: the workflow asks it again, and odd input ends the run instead of breaking its task.
 */
export function runInputProblem(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return 'A run takes one object: {"agent": "…", "task": "…"}.';
  const { agent, task, constraints, requestedBy, form, limits, fork }: Readonly<Record<string, unknown>> = { ...input };
  if (typeof agent !== 'string' || !AGENT_NAME.test(agent)) {
    return `"${typeof agent === 'string' ? agent.slice(0, 80) : typeof agent}" is no agent's name: up to 64 letters, digits, ".", "_" and "-", starting with a letter or digit.`;
  }
  if (typeof task !== 'string' || task.trim() === '') return 'The task is empty: say what the agent should find out or do.';
  if (utf8Bytes(task) > MAX_TEXT_BYTES) return tooLong('The task', utf8Bytes(task));
  const limitProblem = limits === undefined ? undefined : limitsProblem(limits);
  return (
    constraintsProblem(constraints) ??
    (requestedBy === undefined || isPerson(requestedBy) ? undefined : 'requestedBy must be {"name": "…", "verified": false} with a name, or be left out.') ??
    (form === undefined || form === 'function-calling' || form === 'text' ? undefined : 'That is no form: use "function-calling" or "text".') ??
    (fork === undefined ? undefined : forkProblem(fork)) ??
    (limitProblem === undefined ? undefined : `The limits cannot be used: ${limitProblem}.`)
  );
}

function constraintsProblem(constraints: unknown): string | undefined {
  if (constraints === undefined) return undefined;
  if (!Array.isArray(constraints)) return 'Constraints must be a list of texts.';
  const texts = constraints.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  if (texts.length !== constraints.length) return 'A constraint is empty or no text: leave it out, or write it.';
  const bytes = utf8Bytes(texts.join('\n'));
  return bytes > MAX_TEXT_BYTES ? tooLong('The list of constraints', bytes) : undefined;
}

function tooLong(what: string, bytes: number): string {
  return `${what} has ${Math.ceil(bytes / 1024)} KiB; at most ${MAX_TEXT_BYTES / 1024} KiB can be sent. Shorten it, or let a tool read it.`;
}
