import { Context } from '@temporalio/activity';
import { switchKey } from '../core/contract.ts';
import type { BlobStore, SwitchRecord } from '../core/contract.ts';
import { isJsonObject } from '../core/json.ts';
import { answerInTime } from './answer-in-time.ts';

/** Long for a store, and short beside a heartbeat. */
const LOOK_MS = 1_000;

/** Why an agent, or one tool of it, may not be used now; nothing when it may. */
export async function offReason(blobs: BlobStore, agent: string, tool?: string): Promise<string | undefined> {
  try {
    const text = await answerInTime(blobs.get(switchKey(agent, tool)), LOOK_MS);
    const record: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!isSwitch(record) || !record.off) return undefined;
    const what = tool === undefined ? `The agent ${agent}` : `${tool} of ${agent}`;
    return `${what} is switched off by ${record.by}: ${record.reason}`;
  } catch (error) {
    // A store that is down must not stop every run: what is switched off is the exception.
    Context.current().log.warn('switches could not be read', { agent, tool, error: String(error) });
    return undefined;
  }
}

function isSwitch(value: unknown): value is SwitchRecord {
  return isJsonObject(value) && typeof value.off === 'boolean' && typeof value.by === 'string' && typeof value.reason === 'string';
}
