import { parseArgs } from 'node:util';
import { durationMs } from '../../core/duration.ts';

export interface ChaosOptions {
  readonly kills: number;
  readonly seed: number;
  readonly workers: number;
  /** Runs that are under way at once. */
  readonly atOnce: number;
  /** How long the server is away, each time. */
  readonly outageMs: number;
  readonly outages: number;
  readonly server: 'embedded' | 'postgres';
  /** Keeps histories, ledger and logs. */
  readonly keep: boolean;
}

export const USAGE = `npm run chaos -- [--kills 25] [--seed 1] [--outage 60s] [--outages 1] [--workers 2] [--at-once 8] [--server embedded|postgres] [--keep]`;

export function chaosOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: 'string', default: '25' },
      seed: { type: 'string', default: '1' },
      outage: { type: 'string', default: '60s' },
      outages: { type: 'string', default: '1' },
      workers: { type: 'string', default: '2' },
      'at-once': { type: 'string', default: '8' },
      server: { type: 'string', default: 'embedded' },
      keep: { type: 'boolean', default: false },
    },
  });
  const outageMs = durationMs(values.outage);
  if (outageMs === undefined) throw new Error(`--outage takes a duration with its unit.`);
  if (values.server !== 'embedded' && values.server !== 'postgres') throw new Error(`--server is embedded or postgres.`);
  return {
    kills: whole(values.kills), seed: whole(values.seed), workers: whole(values.workers), atOnce: whole(values['at-once']),
    outageMs, outages: whole(values.outages), server: values.server, keep: values.keep,
  };
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`"${text}" is no whole number.`);
  return Number(text);
}
