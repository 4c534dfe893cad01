import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { LocalMiss } from '../core/contract.ts';
import type { Item, ReplyItem } from '../core/transcript.ts';
import type { Decoder, HistoryEvent } from './history-events.ts';
import { parseItem } from './parse-item.ts';

/** A read that was made within a workflow task: history has its result and its name, nothing of its input. */
export interface LocalRead {
  readonly call: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Its observation, or why there is none; neither for one that was cancelled. */
  readonly item?: Item;
  readonly missed?: string;
}

/** Remembers what the model called, since a local read's event does not say. */
export interface LocalReads {
  noteReply(reply: ReplyItem): void;
  read(event: HistoryEvent): Promise<LocalRead | undefined>;
}

/** Name that Temporal's SDKs give the event of a local activity. */
const MARKER = 'core_local_activity';

export function createLocalReads(decoder: Decoder): LocalReads {
  let args = new Map<string, JsonObject>();

  return {
    noteReply: ({ actions }) => {
      args = new Map(actions.flatMap((action) => (action.kind === 'call' ? [[action.id, action.args]] : [])));
    },
    async read({ markerRecordedEventAttributes: marker, userMetadata }) {
      if (marker?.markerName !== MARKER) return undefined;
      const { activityId, tool } = factsOf(marker.details?.['data']?.payloads?.[0]?.data);
      if (marker.failure) {
        // What the SDK itself gave up has no result; its summary begins with the call's id.
        const summary = await decoder.localValue(activityId, userMetadata?.summary ? { payloads: [userMetadata.summary] } : undefined);
        const call = typeof summary === 'string' ? (summary.split(' ')[0] ?? '') : '';
        const known = { call, tool, args: args.get(call) ?? {} };
        if (call === '') return undefined;
        return marker.failure.canceledFailureInfo ? known : { ...known, missed: (await decoder.failure(activityId, marker.failure)).message };
      }
      const result = await decoder.localValue(activityId, marker.details?.['result']);
      if (isLocalMiss(result)) return { call: result.call, tool: result.tool, args: args.get(result.call) ?? {}, missed: result.why };
      const item = parseItem(result);
      return item.type === 'observation' ? { call: item.call, tool, args: args.get(item.call) ?? {}, item } : undefined;
    },
  };
}

/** What the SDK notes beside the result, in plain JSON whatever codec is set. */
function factsOf(data: Uint8Array | null | undefined): { readonly activityId: string; readonly tool: string } {
  try {
    const facts: unknown = JSON.parse(Buffer.from(data ?? []).toString());
    if (!isJsonObject(facts)) return { activityId: '', tool: '' };
    const { activity_id: id, activity_type: type } = facts;
    return { activityId: typeof id === 'string' ? id : '', tool: typeof type === 'string' ? type : '' };
  } catch {
    return { activityId: '', tool: '' };
  }
}

function isLocalMiss(value: unknown): value is LocalMiss {
  return isJsonObject(value) && value.type === 'local_miss' && typeof value.call === 'string' && typeof value.tool === 'string' && typeof value.why === 'string';
}
