import { FAILURE } from '../core/names.ts';
import type { FailureType } from '../core/names.ts';
import { ModelFailure } from './model.ts';
import { retryAfterMs } from './retry-after.ts';
import { safeText } from './safe-text.ts';
import type { Fault } from './wire-fault.ts';

/** One row: what a fault means. The first row whose `when` is true decides. */
interface Row {
  readonly when: (fault: Fault) => boolean;
  readonly type: FailureType;
  readonly retryable: boolean;
  /**
   * `none` only where no tokens can have been made: a request that was refused (4xx) or never arrived. A time-out, a
   * reset, a cut body and a 5xx may all come after the provider has worked, so the caller has to charge them.
   */
  readonly billing: 'none' | 'unknown';
  /** What a person does about it. */
  readonly fix?: string;
}

const KEY_FIX = 'Set OPENAI_API_KEY to a key that this server takes (and OPENAI_BASE_URL to the server that the key is for).';
const MODEL_FIX = 'Set OPENAI_MODEL to a model that this server has; OPENAI_BASE_URL is its address up to and without /chat/completions, mostly ending in /v1.';
const QUOTA_FIX = 'Add credit or raise the limit of the account that OPENAI_API_KEY belongs to.';
const SERVER_FIX = 'Is that server up, and can this machine reach it? OPENAI_BASE_URL names another one.';
const CERTIFICATE_FIX = 'Its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the certificate of its authority.';
const BASE_URL_FIX = 'OPENAI_BASE_URL must be the address of an OpenAI-compatible API, mostly ending in /v1.';

const refused = { retryable: false, billing: 'none' } as const;
const passing = { retryable: true, billing: 'none' } as const;
const passingUnknown = { retryable: true, billing: 'unknown' } as const;

/**
 * Status first where the HTTP status is certain; error codes before it, since a 429 for an empty account never passes
 * and some servers put everything into a 200. Sources: OpenAI's and Anthropic's error guides, OpenRouter's error page,
 * vLLM's and llama.cpp's servers.
 */
const ROWS: readonly Row[] = [
  { when: (f) => isTooLong(f), type: FAILURE.modelContextTooLong, ...refused },
  {
    when: (f) => hasStatus(f, 402) || hasCode(f, ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'insufficient_user_quota']),
    type: FAILURE.modelQuota, ...refused, fix: QUOTA_FIX,
  },
  {
    when: (f) => hasStatus(f, 401) || hasStatus(f, 403) || hasCode(f, ['invalid_api_key', 'authentication_error', 'permission_error']),
    type: FAILURE.modelAuth, ...refused, fix: KEY_FIX,
  },
  {
    when: (f) => hasStatus(f, 404) || hasCode(f, ['model_not_found', 'not_found_error']),
    type: FAILURE.modelNotFound, ...refused, fix: MODEL_FIX,
  },
  { when: (f) => hasStatus(f, 429) || hasCode(f, ['rate_limit_exceeded', 'rate_limit_error']), type: FAILURE.modelRateLimit, ...passing },
  { when: (f) => hasStatus(f, 408), type: FAILURE.modelTimeout, ...passing },
  { when: (f) => hasStatus(f, 409) || hasStatus(f, 425), type: FAILURE.modelUnavailable, ...passing },
  {
    when: (f) => f.kind === 'status' && f.status >= 300 && f.status < 400,
    type: FAILURE.modelBadRequest, ...refused, fix: BASE_URL_FIX,
  },
  { when: (f) => f.kind === 'status' && f.status >= 400 && f.status < 500, type: FAILURE.modelBadRequest, ...refused },
  {
    when: (f) => (f.kind === 'status' && f.status >= 500) ||
      hasCode(f, ['server_error', 'internal_server_error', 'internal_error', 'api_error', 'overloaded_error', 'engine_overloaded', 'service_unavailable']),
    type: FAILURE.modelUnavailable, ...passingUnknown,
  },
  { when: (f) => hasCode(f, ['invalid_request_error', 'invalid_request']), type: FAILURE.modelBadRequest, ...refused },
  {
    when: (f) => isNetwork(f, ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']),
    type: FAILURE.modelUnavailable, ...passing, fix: SERVER_FIX,
  },
  {
    when: (f) => f.kind === 'network' && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/.test(f.code),
    type: FAILURE.modelUnavailable, ...refused, fix: CERTIFICATE_FIX,
  },
  {
    when: (f) => isNetwork(f, ['DEADLINE', 'ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']),
    type: FAILURE.modelTimeout, ...passingUnknown,
  },
  { when: (f) => f.kind === 'network', type: FAILURE.modelUnavailable, ...passingUnknown },
  { when: () => true, type: FAILURE.modelBadReply, ...passingUnknown, fix: BASE_URL_FIX },
];

/** Where a fault happened and what may not be said about it. */
export interface Place {
  readonly host: string;
  readonly model: string;
  readonly apiKey: string;
  readonly nowMs: number;
}

/** The failure that a fault is, by the table. Its message names host and model, what the server said, and the fix. */
export function failureOf(fault: Fault, place: Place): ModelFailure {
  const row = ROWS.find(({ when }) => when(fault));
  if (!row) throw new Error('the last row takes every fault');
  const wait = fault.kind === 'status' && row.retryable ? retryAfterMs(fault.retryAfter, place.nowMs) : undefined;
  return new ModelFailure({
    type: row.type,
    retryable: row.retryable,
    billing: row.billing,
    message: [whatHappened(fault, place), row.fix].filter(Boolean).join(' '),
    ...(fault.kind === 'status' ? { status: fault.status } : {}),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

function whatHappened(fault: Fault, { host, model, apiKey }: Place): string {
  const asked = `Model server ${host} (model ${safeText(model, apiKey)})`;
  switch (fault.kind) {
    case 'status': {
      const said = safeText(fault.said.message || fault.said.code || fault.said.type, apiKey);
      return `${asked} answered ${fault.status}${said === '' ? '' : `: ${said}`}${/[.!?]$/.test(said) ? '' : '.'}`;
    }
    case 'network': return `${asked} ${fault.code === 'DEADLINE' ? 'did not answer in time' : `could not be asked or did not finish${fault.code ? ` (${fault.code})` : ''}`}.`;
    case 'bad_reply': return `${asked} answered with something that is no reply: ${safeText(fault.what, apiKey)}.`;
  }
}

const TOO_LONG = [
  'maximum context length', 'context length', 'context window', 'context_length', 'prompt is too long', 'input is too long',
  'too many input tokens', 'exceeds the available context size', 'reduce the length of the messages', 'input length exceeds',
];

function isTooLong(fault: Fault): boolean {
  if (fault.kind !== 'status') return false;
  const { status, said } = fault;
  if (status === 413 || hasCode(fault, ['context_length_exceeded', 'exceed_context_size_error', 'string_above_max_length'])) return true;
  const text = said.message.slice(0, 4_000).toLowerCase();
  return (status === 400 || status === 422 || status === 200) && TOO_LONG.some((phrase) => text.includes(phrase));
}

function hasStatus(fault: Fault, status: number): boolean {
  return fault.kind === 'status' && fault.status === status;
}

/** Servers put their word under `code` or under `type`. */
function hasCode(fault: Fault, codes: readonly string[]): boolean {
  return fault.kind === 'status' && (codes.includes(fault.said.code) || codes.includes(fault.said.type));
}

function isNetwork(fault: Fault, codes: readonly string[]): boolean {
  return fault.kind === 'network' && codes.includes(fault.code);
}
