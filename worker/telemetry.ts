import { Runtime } from '@temporalio/worker';
import type { RuntimeOptions } from '@temporalio/worker';
import type { Logger as PinoLogger } from 'pino';
import { SettingError } from './errors.ts';
import { freePort } from './free-port.ts';
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
  installed ??= install(options).catch((error: unknown) => {
    // Nothing was set up: the next call may come with settings that work.
    installed = undefined;
    throw error;
  });
  return installed;
}

async function install(options: TelemetryOptions): Promise<Telemetry> {
  const level = logLevelOf(options.env, options.level ?? 'warn');
  const log = createLog(level, options.target ?? process.stderr);
  const named = options.env[METRICS_VARIABLE];
  const installAt = (address: string | undefined) => Runtime.install(runtimeOptions({ level, log, address, signals: options.shutdownSignals ?? [] }));
  if (named === 'off') {
    installAt(undefined);
    return { log };
  }
  const address = named === undefined || named === '' ? await atUsualPort(installAt, options.report) : await atNamed(named, installAt);
  return { log, metricsUrl: `http://${address}/metrics` };
}

interface RuntimeParts {
  readonly level: Level;
  readonly log: PinoLogger;
  readonly address: string | undefined;
  readonly signals: readonly NodeJS.Signals[];
}

function runtimeOptions({ level, log, address, signals }: RuntimeParts): RuntimeOptions {
  return {
    logger: temporalLogger(log),
    shutdownSignals: [...signals],
    telemetryOptions: {
      logging: { forward: {}, filter: { core: UPPER[level], other: 'ERROR' } },
      ...(address === undefined ? {} : { metrics: { prometheus: { bindAddress: address } } }),
    },
  };
}

const UPPER = { trace: 'TRACE', debug: 'DEBUG', info: 'INFO', warn: 'WARN', error: 'ERROR' } as const;

type InstallAt = (address: string) => void;

/** The usual port gives way to a free one: a second worker on the machine is no mistake. */
async function atUsualPort(installAt: InstallAt, report: TelemetryOptions['report']): Promise<string> {
  const usual = `${HOST}:${USUAL_PORT}`;
  try {
    installAt(usual);
    return usual;
  } catch {
    const other = `${HOST}:${await freePort()}`;
    installAt(other);
    report?.(`Port ${USUAL_PORT} is taken: metrics are at http://${other}/metrics`);
    return other;
  }
}

/** A port that was named does not: whoever scrapes it would read another process. */
async function atNamed(named: string, installAt: InstallAt): Promise<string> {
  const address = await parseAddress(named);
  try {
    installAt(address);
    return address;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingError(`${METRICS_VARIABLE} names ${named}, which cannot be used: ${why}`, { cause: error });
  }
}

async function parseAddress(named: string): Promise<string> {
  const match = /^(?:([A-Za-z0-9.-]{1,255}):)?(\d{1,5})$/.exec(named);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) throw new SettingError(`${METRICS_VARIABLE} is "${named}"; it may be HOST:PORT, PORT or off.`);
  // The exporter takes addresses only.
  const host = match[1] === undefined || match[1] === 'localhost' ? HOST : match[1];
  return `${host}:${port === 0 ? await freePort() : port}`;
}
