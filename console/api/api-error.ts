import { CaseworkerError } from '../../client/errors.ts';
import type { CaseworkerErrorKind } from '../../client/errors.ts';

export type ApiErrorKind = CaseworkerErrorKind | 'not_signed_in' | 'cross_site' | 'no_route' | 'too_large' | 'not_json' | 'internal';

/** The one shape of every error that the API answers. */
export interface ErrorBody {
  readonly error: { readonly kind: ApiErrorKind; readonly message: string };
}

const STATUS = {
  usage: 400, not_signed_in: 401, not_allowed: 403, cross_site: 403, not_found: 404, no_route: 404, exists: 409, ended: 409,
  failed: 409, too_large: 413, not_json: 415, unreadable: 422, internal: 500, unreachable: 503,
} as const satisfies Readonly<Record<ApiErrorKind, number>>;

export type ErrorStatus = (typeof STATUS)[ApiErrorKind];

/** An error that a caller is told as it is. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;

  constructor(kind: ApiErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.kind = kind;
  }
}

/** What a caller is told: what was foreseen in its own words, anything else without its inside. */
export function answerOf(error: unknown): { readonly status: ErrorStatus; readonly body: ErrorBody } {
  const known = error instanceof ApiError || error instanceof CaseworkerError;
  const kind = known ? error.kind : 'internal';
  const message = known ? error.message : 'Something broke in the console; its log says what.';
  return { status: STATUS[kind], body: { error: { kind, message } } };
}
