import { Runtime } from '@temporalio/worker';
import type { Logger as PinoLogger } from 'pino';
import { SettingError } from './errors.ts';
import { canListen, freePort } from './free-port.ts';
import type { Level, LogTarget } from './log.ts';
import { createLog, logLevelOf, temporalLogger } from './log.ts';

export const METRICS_VARIABLE = 'CASEWORKER_METRICS';
const HOST = '127.0.0.1';
/** The port that exporters of OpenTelemetry use for Prometheus. */
const USUAL_PORT = 9464;

export interface TelemetryOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Level when CASEWORKER_LOG_LEVEL is not set; default `warn`. */
  readonly level?: Level;
  readonly target?: LogTarget;
  /** Told when the usual port gives way to another. */
  readonly report?: (message: string) => void;
  /** Signals at which workers of this process stop by themselves; default: none, the caller stops them. */
  readonly shutdownSignals?: readonly NodeJS.Signals[];
}

export interface Telemetry {
  readonly log: PinoLogger;
  /** Where Prometheus text is served; absent when switched off. */
  readonly metricsUrl?: string;
}

let installed: Promise<Telemetry> | undefined;

/**
 * Sets up logging and metrics for every worker and connection of this process. The SDK allows it once, before the
 * first of them; a later call gives what the first one set up.
 * @throws SettingError when a variable cannot be read or a port that was named is taken.
 */
export function installTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  return (installed ??= install(options));
}

async function install(options: TelemetryOptions): Promise<Telemetry> {
  const level = logLevelOf(options.env, options.level ?? 'warn');
  const log = createLog(level, options.target ?? process.stderr);
  const address = await metricsAddress(options);
  Runtime.install({
    logger: temporalLogger(log),
    shutdownSignals: [...(options.shutdownSignals ?? [])],
    telemetryOptions: {
      logging: { forward: {}, filter: { core: UPPER[level], other: 'ERROR' } },
      ...(address === undefined ? {} : { metrics: { prometheus: { bindAddress: address } } }),
    },
  });
  return address === undefined ? { log } : { log, metricsUrl: `http://${address}/metrics` };
}

const UPPER = { trace: 'TRACE', debug: 'DEBUG', info: 'INFO', warn: 'WARN', error: 'ERROR' } as const;

/** `host:port`, or undefined when switched off. The usual port gives way to another one, a port that was named does not. */
async function metricsAddress({ env, report }: TelemetryOptions): Promise<string | undefined> {
  const named = env[METRICS_VARIABLE];
  if (named === 'off') return undefined;
  return named === undefined || named === '' ? usualAddress(report) : namedAddress(named);
}

async function usualAddress(report: TelemetryOptions['report']): Promise<string> {
  if (await canListen(USUAL_PORT)) return `${HOST}:${USUAL_PORT}`;
  const port = await freePort();
  report?.(`Port ${USUAL_PORT} is taken: metrics are at http://${HOST}:${port}/metrics`);
  return `${HOST}:${port}`;
}

async function namedAddress(named: string): Promise<string> {
  const match = /^(?:([A-Za-z0-9.-]{1,255}):)?(\d{1,5})$/.exec(named);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) throw new SettingError(`${METRICS_VARIABLE} is "${named}"; it may be HOST:PORT, PORT or off.`);
  const host = match[1] === undefined || match[1] === 'localhost' ? HOST : match[1];
  if (port === 0) return `${host}:${await freePort()}`;
  if (!(await canListen(port, host))) throw new SettingError(`${METRICS_VARIABLE} names ${named}, which is taken or not an address of this machine.`);
  return `${host}:${port}`;
}
