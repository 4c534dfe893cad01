import type { PinnedAgent } from './agent.ts';
import { wellFormed } from './data-text.ts';
import type { JsonObject } from './json.ts';
import type { EndReason, HandOver, HeldView, OpenQuestion, RunInput, RunResult, RunStatus } from './run.ts';
import type { CallAction, Item, ObservationItem, ReplyItem } from './transcript.ts';

/**
 * The border between the workflow and the Node side. Every activity takes one object and returns a value; what the
 * model or a tool did wrong is inside the value, and only the world's failures are thrown (see FAILURE).
 */
export interface Activities {
  pinAgent(input: PinInput): Promise<PinResult>;
  think(input: ThinkInput): Promise<ThinkResult>;
  check(input: CheckInput): Promise<CheckResult>;
  notify(input: NotifyInput): Promise<void>;
  archive(input: ArchiveInput): Promise<void>;
}

export type PinInput = Pick<RunInput, 'agent' | 'constraints' | 'form' | 'limits'>;
export type PinResult = { readonly ok: true; readonly agent: PinnedAgent } | { readonly ok: false; readonly problem: string };

/** `delta` are the transcript's items from number `base` on; the worker has the earlier ones or asks the run for them. */
export interface ThinkInput {
  readonly turn: number;
  readonly firstRunId: string;
  readonly base: number;
  readonly delta: readonly Item[];
  /** The run's agent comes along with its first call, so that no run begins with being asked for it. */
  readonly agent?: PinnedAgent;
  /** What this call may still cost: checked against the exact prompt before it is sent. */
  readonly allowance: Allowance;
}

export interface Allowance {
  /** UTF-8 bytes that the prompt may have; one that is larger was not reserved for and is not sent. */
  readonly promptBytes: number;
  /** Input tokens that the reservation was made for: charged when a provider reports none. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Time-out of one attempt. */
  readonly timeoutMs: number;
  /** Active time that all attempts together may take. */
  readonly timeLeftMs: number;
}

export type ThinkResult = ReplyItem;

/** A call that a person wrote: the arguments of an edit, or a call of their own. Checked as the model's calls are. */
export interface CheckInput {
  readonly turn: number;
  readonly call: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly base: number;
  readonly delta: readonly Item[];
  readonly firstRunId: string;
}

/** The call as it would run, or what is wrong with it. */
export type CheckResult = { readonly ok: true; readonly call: CallAction } | { readonly ok: false; readonly problem: string };

/** Input of the activity that runs a tool; the activity's type is the tool's name. */
export interface ActInput {
  readonly agent: { readonly name: string; readonly version: string; readonly hash: string };
  readonly tool: string;
  readonly call: string;
  readonly args: JsonObject;
  readonly hash: string;
  readonly key?: string;
  /** What the run knows the call to be, whatever is deployed; absent for a read. */
  readonly effect?: 'idempotent' | 'once';
  /** First execution's run id: survives continue-as-new and reset, so that a key made of it stays the same. */
  readonly firstRunId: string;
  readonly observationChars: number;
  /** A person wants it made although an equal call was made before: they were shown that one, or said what became of it. */
  readonly again?: true;
  /** What the run itself has of the observation that `recall` is asked for; present for that call alone. */
  readonly recall?: Recallable;
  /** A person's yes to exactly these arguments; a call that needs one does not run without. */
  readonly approved?: { readonly argsHash: string };
}

/** What a run has of its own observations, for `recall`. */
export interface Recallable {
  /** The whole text. Absent when it was cut (the blob store has it) or left behind (the archive has it), or never was. */
  readonly text?: string;
  /** The newest calls that have an observation, oldest first. */
  readonly known: readonly string[];
}

export type ActResult = ObservationItem;

/** A read that was to be made within the workflow task and gave nothing there; it is made again as an activity of its own. */
export interface LocalMiss {
  readonly type: 'local_miss';
  readonly call: string;
  readonly tool: string;
  readonly why: string;
  readonly ms: number;
}

export interface NotifyInput {
  /** Absent in runs of an older build: the run waits. */
  readonly event?: NotifyEvent;
  readonly agent?: { readonly name: string; readonly version: string };
  readonly held?: readonly HeldView[];
  readonly question?: OpenQuestion;
  readonly endReason?: EndReason;
  readonly status: RunStatus;
  readonly handOver?: HandOver;
  /** Items that no `think` has carried into history yet. */
  readonly items: readonly Item[];
  /** Number of the first of them. */
  readonly base: number;
}

/** Something waits for a person; it is about to expire; the run has ended. */
export type NotifyEvent = 'waiting' | 'reminder' | 'ended';

export interface ArchiveInput {
  /** Items that no earlier event of history holds. */
  readonly items: readonly Item[];
  /** Number of the first of them. */
  readonly base: number;
  /** Number of the first item that no earlier archive holds: the segment to write is [archived, base + items.length). */
  readonly archived: number;
  readonly firstRunId: string;
  readonly result?: RunResult;
}

/** Where whole observations and finished parts of traces are kept. Keys are paths of `[A-Za-z0-9._%-]` parts. */
export interface BlobStore {
  /** Writes or replaces; a reader sees the old text or the new one, never a part. */
  put(key: string, text: string): Promise<void>;
  /** Writes where nothing is yet, and says whether it did: of two writers at once one wins. */
  putNew(key: string, text: string): Promise<boolean>;
  /** `undefined` when there is none. */
  get(key: string): Promise<string | undefined>;
  /** Keys that start with the prefix, in order. */
  list(prefix: string): Promise<readonly string[]>;
}

/** One segment of an archived trace: items numbered from `first`. Key: archiveKey(...). */
export interface ArchiveSegment {
  readonly first: number;
  readonly items: readonly Item[];
  readonly result?: RunResult;
}

/** Every segment of one run has this prefix; a run is one first execution, so a reused workflow id is another run. */
export function archivePrefix(workflowId: string, firstRunId: string): string {
  return `archive/${blobPart(workflowId)}/${firstRunId}/`;
}

export function archiveKey(workflowId: string, firstRunId: string, first: number): string {
  return `${archivePrefix(workflowId, firstRunId)}${String(first).padStart(8, '0')}.json`;
}

/** Key of a whole observation, kept for `recall`. */
export function observationKey(workflowId: string, firstRunId: string, call: string): string {
  return `observations/${blobPart(workflowId)}/${firstRunId}/${call}.txt`;
}

/** A caller's id as one part of a key: what a file name may not have becomes %XX, and so does what would name a folder. */
function blobPart(id: string): string {
  if (id === '.' || id === '..') return id.replaceAll('.', '%2e');
  return encodeURIComponent(wellFormed(id)).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}

/** Whether an agent, or one of its tools, may be used: read before every model call and every tool call. */
export interface SwitchRecord {
  readonly off: boolean;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

export function switchKey(agent: string, tool?: string): string {
  return tool === undefined ? `switches/${blobPart(agent)}/agent.json` : `switches/${blobPart(agent)}/tools/${blobPart(tool)}.json`;
}

export const SWITCH_PREFIX = 'switches/';

/** A page of the transcript, below 1 MiB. */
export interface TranscriptPage {
  readonly agent: PinnedAgent;
  /** Number of the first item that the run still holds; older ones are in its summary. */
  readonly first: number;
  readonly from: number;
  readonly items: readonly Item[];
  /** Number to ask for next; absent on the last page. */
  readonly next?: number;
}

/** Details of a failure that `think` throws: what the lost attempts may have cost. */
export interface ThinkFailureDetails {
  readonly attempts: number;
  /** Attempts whose billing nobody knows; charged in full. */
  readonly unknownBilling: number;
  readonly ms: number;
  readonly status?: number;
  /** Bytes of the prompt that was not sent because it is larger than what was allowed. */
  readonly promptBytes?: number;
}
