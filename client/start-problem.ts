import { utf8Bytes } from '../core/json.ts';
import { runInputProblem } from '../core/run-input-problem.ts';
import type { StartRequest } from './types.ts';

const MAX_ID_BYTES = 255;

/** What is wrong with a start, with what to do about it; nothing when it can be sent. */
export function startProblem({ id, ...input }: StartRequest): string | undefined {
  return runInputProblem(input) ?? idProblem(id);
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
