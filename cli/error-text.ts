import { CaseworkerError } from '../client/errors.ts';

const BUGS = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'];

/** The message of an error that was foreseen; anything else is somebody's bug, and its place is worth more than brevity. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CaseworkerError) return error.message;
  return BUGS.includes(error.name) ? (error.stack ?? error.message) : error.message;
}
