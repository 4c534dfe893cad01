import { CancelledFailure } from '@temporalio/activity';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { z } from 'zod';
import { createAct } from '../../activities/act.ts';
import type { ActInput, ActResult, BlobStore, LocalMiss } from '../../core/contract.ts';
import { evidenceOf } from '../../core/evidence.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import type { ToolDefinition } from '../../tools/define-tool.ts';
import { hashOf } from '../../tools/pinned-from.ts';
import { createRegistry } from '../../tools/registry.ts';
import type { Tool } from '../../tools/tool.ts';

/** A store in memory; `down` makes it fail. */
export function memoryBlobs(): BlobStore & { readonly texts: Map<string, string>; down: boolean } {
  const texts = new Map<string, string>();
  const store = {
    texts,
    down: false,
    put: async (key: string, text: string) => { check(store); texts.set(key, text); },
    putNew: async (key: string, text: string) => {
      check(store);
      if (texts.has(key)) return false;
      texts.set(key, text);
      return true;
    },
    get: async (key: string) => { check(store); return texts.get(key); },
    list: async (prefix: string) => { check(store); return [...texts.keys()].filter((key) => key.startsWith(prefix)).sort(); },
  };
  return store;
}

function check({ down }: { readonly down: boolean }): void {
  if (down) throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.9:9000'), { code: 'ECONNREFUSED' });
}

export type Args = { readonly id: string };

/** A tool with one field, to be changed; nobody has to approve it. */
export function tool(changes: Partial<ToolDefinition<Args>> = {}): Tool {
  return defineTool<Args>({ name: 'get_order', description: 'x', input: z.object({ id: z.string() }), effect: 'read', needsApproval: false, run: ({ id }) => ({ id }), ...changes });
}

export interface Attempt {
  readonly tools: readonly Tool[];
  readonly blobs?: BlobStore;
  readonly input?: Partial<ActInput>;
  readonly info?: ConstructorParameters<typeof MockActivityEnvironment>[0];
}

/** Failures are what these tests are about; they need not be on the screen too. */
const SILENT = new DefaultLogger('ERROR', () => {});

/** One attempt of the activity in a mocked Temporal context; `environment` cancels it. */
export function attempt({ tools, blobs = memoryBlobs(), input = {}, info = {} }: Attempt): { readonly environment: MockActivityEnvironment; run(): Promise<ActResult> } {
  const agent = defineAgent({ name: 'desk', version: '1', instructions: 'Work.', tools });
  const act = createAct({ registry: createRegistry([agent]), blobs });
  const environment = new MockActivityEnvironment({ workflowExecution: { workflowId: 'run-1', runId: 'r' }, startToCloseTimeoutMs: 30_000, ...info }, { logger: SILENT });
  const whole: ActInput = {
    agent: { name: 'desk', version: '1', hash: hashOf(agent) },
    tool: tools[0]?.name ?? 'none', call: '3.1', args: { id: '88213' }, hash: 'h', firstRunId: 'first', observationChars: 1_500, ...input,
  };
  return { environment, run: async () => observed(await environment.run(act, whole)) };
}

/** Only a local read comes back with anything else. */
function observed(result: ActResult | LocalMiss): ActResult {
  if (result.type === 'local_miss') throw new Error(`missed: ${result.why}`);
  return result;
}

export const act = (parts: Attempt): Promise<ActResult> => attempt(parts).run();

/** What a run may speak of after the call `3.1` came back like this. */
export function evidenceAfter(result: ActResult, args: Args = { id: '88213' }): ReadonlySet<string> {
  const action = { kind: 'call', id: '3.1', tool: result.tool, args: { ...args }, hash: 'h', needsApproval: false } as const;
  const usage = { model: 'm', inputTokens: 1, outputTokens: 1, cachedTokens: 0, estimatedTokens: 0, attempts: 1, ms: 1, promptBytes: 1 };
  return evidenceOf([{ type: 'reply', turn: 3, actions: [action], notes: [], usage }, result], []).words;
}

export function networkError(code: string, message = `connect ${code} 10.0.0.3:5432`): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

export const PERSON_CANCELS = new ActivityCancellationDetails({ cancelRequested: true });
export const WORKER_STOPS = new ActivityCancellationDetails({ workerShutdown: true });

/** A tool function that says when it began and ends only when its signal tells it to. */
export function untilAborted(): { readonly began: Promise<void>; readonly run: ToolDefinition<Args>['run'] } {
  let begin = (): void => {};
  const began = new Promise<void>((resolve) => { begin = resolve; });
  return {
    began,
    run: (_args, { signal }) => new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason instanceof Error ? signal.reason : new CancelledFailure('aborted')));
      begin();
    }),
  };
}
