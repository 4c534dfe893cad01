import { CaseworkerError } from '../client/errors.ts';
import type { RunResult, Stop } from '../core/run.ts';
import { FAILURE } from '../core/names.ts';

/** What a script learns from a command without reading its output. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  /** The run ended, or waits, without an answer. */
  noAnswer: 3,
  notFound: 4,
  notAllowed: 5,
  /** Decided already, ended already, id taken. */
  conflict: 6,
  /** A server that was named, or the model, does not answer. */
  unreachable: 7,
  /** `--wait` ran out; the same as coreutils' timeout. */
  timeout: 124,
  /** 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Errors of other parts are told apart by name, so that this file needs none of them. */
const BY_NAME: Readonly<Record<string, ExitCode>> = {
  UsageError: EXIT.usage,
  ServerUnreachableError: EXIT.unreachable,
};

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CaseworkerError) return BY_KIND[error.kind];
  return error instanceof Error ? (BY_NAME[error.name] ?? EXIT.error) : EXIT.error;
}

const BY_KIND: Readonly<Record<CaseworkerError['kind'], ExitCode>> = {
  usage: EXIT.usage,
  not_found: EXIT.notFound,
  exists: EXIT.conflict,
  ended: EXIT.conflict,
  not_allowed: EXIT.notAllowed,
  unreachable: EXIT.unreachable,
  failed: EXIT.noAnswer,
  unreadable: EXIT.error,
};

/** Failures after which waiting or looking at the network helps, and a changed agent does not. */
const MODEL_SILENT: readonly string[] = [FAILURE.modelUnavailable, FAILURE.modelTimeout, FAILURE.modelRateLimit];

export function exitCodeOfStop({ reason, detail }: Pick<Stop, 'reason' | 'detail'>): ExitCode {
  return reason === 'error' && detail !== undefined && MODEL_SILENT.includes(detail) ? EXIT.unreachable : EXIT.noAnswer;
}

export function exitCodeOfResult(result: RunResult): ExitCode {
  if (result.answer !== undefined) return EXIT.ok;
  return exitCodeOfStop(result.stops.at(-1) ?? { reason: result.endReason });
}
