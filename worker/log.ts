import type { LogMetadata, Logger } from '@temporalio/common';
import pino from 'pino';
import { SettingError } from './errors.ts';
import { parseObject } from './process-identity.ts';

export const LOG_LEVEL_VARIABLE = 'CASEWORKER_LOG_LEVEL';
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];
type UpperLevel = Uppercase<Level>;

/** Where log lines go: stderr, or a test's list. */
export interface LogTarget {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** @throws SettingError when the variable holds no level. */
export function logLevelOf(env: NodeJS.ProcessEnv, fallback: Level): Level {
  const named = env[LOG_LEVEL_VARIABLE];
  if (named === undefined || named === '') return fallback;
  const level = LEVELS.find((known) => known === named.toLowerCase());
  if (level === undefined) throw new SettingError(`${LOG_LEVEL_VARIABLE} is "${named}"; it may be ${LEVELS.join(', ')}.`);
  return level;
}

/** JSON lines for programs, or one readable line for somebody at a terminal. */
export function createLog(level: Level, target: LogTarget): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    errorKey: 'error',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  return pino(options, target.isTTY === true ? { write: (line: string) => target.write(readableLine(line)) } : target);
}

/** The same log for Temporal's SDK: its worker, its core and what workflow code logs. */
export function temporalLogger(log: pino.Logger): Logger {
  const at = (level: Level) => (message: string, meta?: LogMetadata) => log[level](meta ?? {}, message);
  return {
    log: (level, message, meta) => at(LOWER[level])(message, meta),
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}

const LOWER: Readonly<Record<UpperLevel, Level>> = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' };

/** "12:01:02 warn message key=value …" from one of pino's lines; a line of any other shape stays as it is. */
function readableLine(line: string): string {
  const entry = parseObject(line);
  const { time, level, msg, ...rest } = entry ?? {};
  if (typeof time !== 'string' || typeof level !== 'string') return line;
  const facts = Object.entries(rest).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return `${[time.slice(11, 19), level, typeof msg === 'string' ? msg : '', ...facts].filter((part) => part !== '').join(' ')}\n`;
}
