import { isJsonObject } from '../core/json.ts';
import type { ServerError } from './wire-fault.ts';

/** The error in a body, in any of the shapes that compatible servers use; a body that is no JSON is its own message. */
export function readErrorBody(text: string): ServerError {
  const body = parsed(text);
  if (body === undefined) return { code: '', type: '', param: '', message: plainText(text) };
  return readError(Array.isArray(body) ? body[0] : body);
}

/** `{error: {…}}`, `{error: "…"}`, `{message}`, `{detail: "…" | [{loc, msg}]}`. */
export function readError(body: unknown): ServerError {
  if (typeof body === 'string') return { code: '', type: '', param: '', message: body };
  if (!isObject(body)) return { code: '', type: '', param: '', message: '' };
  if (isObject(body.error) || (typeof body.error === 'string' && body.error !== '')) return withOuter(readError(body.error), body);
  const message = body.message ?? body.detail ?? body.error_description;
  return {
    code: word(body.code ?? body.status), type: word(body.type), param: word(body.param),
    message: typeof message === 'string' ? message : asText(message),
  };
}

function withOuter(inner: ServerError, outer: Readonly<Record<string, unknown>>): ServerError {
  const message = inner.message || word(outer.message);
  return { ...inner, message, code: inner.code || word(outer.code), type: inner.type || word(outer.type) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value);
}

function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function asText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** A proxy's error page is markup that nobody wants in a message. */
function plainText(text: string): string {
  return isMarkup(text) ? 'a web page, not an API' : text;
}

export function isMarkup(text: string): boolean {
  return /^\s{0,100}<(?:!doctype|html|head|body|\?xml)/i.test(text);
}
