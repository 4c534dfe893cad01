import { utf8Bytes } from '../core/json.ts';
import { limitsProblem } from '../core/limits.ts';
import { MAX_TEXT_BYTES } from '../core/payload-problem.ts';
import type { StartRequest } from './types.ts';

const MAX_ID_BYTES = 255;
/** The kinds of text that an agent's name is made of; it becomes part of ids and search attributes. */
const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What is wrong with a start, with what to do about it; nothing when it can be sent. */
export function startProblem({
  agent,
  task,
  id,
  constraints,
  requestedBy,
  form,
  limits,
}: StartRequest): string | undefined {
  if (!AGENT_NAME.test(agent)) {
    return `"${agent}" is no agent's name: up to 64 letters, digits, ".", "_" and "-", starting with a letter or digit.`;
  }
  if (task.trim() === '') return 'The task is empty: say what the agent should find out or do.';
  if (utf8Bytes(task) > MAX_TEXT_BYTES) return tooLong('The task', utf8Bytes(task));
  if (utf8Bytes((constraints ?? []).join('\n')) > MAX_TEXT_BYTES)
    return tooLong('The list of constraints', utf8Bytes((constraints ?? []).join('\n')));
  if (constraints?.some((constraint) => constraint.trim() === ''))
    return 'A constraint is empty: leave it out, or write it.';
  if (requestedBy?.name.trim() === '') return 'requestedBy has no name: leave it out, or give one.';
  if (form !== undefined && form !== 'function-calling' && form !== 'text') {
    return `"${String(form)}" is no form: use "function-calling" or "text".`;
  }
  const wrong = limits ? limitsProblem(limits) : undefined;
  return wrong ? `The limits cannot be used: ${wrong}.` : idProblem(id);
}

function tooLong(what: string, bytes: number): string {
  return `${what} has ${Math.ceil(bytes / 1024)} KiB; at most ${MAX_TEXT_BYTES / 1024} KiB can be sent. Shorten it, or let a tool read it.`;
}

/** Ids go into URLs, file names and commands, so they are one printable word. */
export function idProblem(id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  if (id === '') return 'The id is empty: leave it out to have one made, or give one.';
  if (utf8Bytes(id) > MAX_ID_BYTES) return `The id has ${utf8Bytes(id)} bytes; at most ${MAX_ID_BYTES} are allowed.`;
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\s\u0000-\u001f\u007f-\u009f]/.test(id) || Buffer.from(id).toString() !== id) {
    return 'The id has white space or characters that cannot be printed: use letters, digits and signs such as "-".';
  }
  return undefined;
}
