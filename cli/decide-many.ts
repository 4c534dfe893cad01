import type { ApprovalEntry } from '../client/inbox-entry.ts';
import { RunEndedError } from '../client/errors.ts';
import type { CaseworkerClient, DecisionOutcome } from '../client/types.ts';
import { command } from './command-name.ts';
import type { CallOptions, CallVerb } from './decide-call.ts';
import type { Execution } from './execute.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { personHere } from './person.ts';
import { waitingText } from './waiting-text.ts';

export interface ManyOptions extends CallOptions {
  readonly query?: string;
  readonly tool?: string;
}

export type ManyVerb = Extract<CallVerb, { verb: 'approve' | 'reject' }>;

/** Decides every held call that a query finds: first it says how many and what they are, and only --yes goes on. */
export async function decideMany(execution: Execution, options: ManyOptions, act: ManyVerb): Promise<ExitCode> {
  const { out } = execution;
  const session = await execution.open({ worker: 'if_none_polls' });
  const { query, tool } = options;
  const found = await session.client.inbox({ ...(query === undefined ? {} : { query }), ...(tool === undefined ? {} : { tool }) });
  const held = found.filter((entry) => entry.kind === 'approval');
  if (held.length === 0) {
    out.say('No held call matches; nothing was sent.');
    return EXIT.ok;
  }
  const nowMs = Date.now();
  out.say(`${held.length} held ${held.length === 1 ? 'call' : 'calls'} in ${new Set(held.map(({ run }) => run)).size} runs:\n`);
  for (const entry of held) out.say(waitingText(entry, out.style, { nowMs, commands: false }).join('\n'));
  if (options.yes !== true) {
    out.say(`\nNothing was sent. The same command with --yes will ${act.verb} all of them.`);
    return EXIT.usage;
  }
  const outcomes = await decided(execution, { client: session.client, held, options, act });
  if (out.format === 'json') out.value(outcomes);
  if (!(await session.isServedElsewhere().catch(() => true))) out.say(`The runs go on as soon as a worker is up: ${command('dev')}`);
  return codeOf(outcomes);
}

interface Many {
  readonly client: CaseworkerClient;
  readonly held: readonly ApprovalEntry[];
  readonly options: ManyOptions;
  readonly act: ManyVerb;
}

type ManyOutcome = DecisionOutcome & { readonly id: string; readonly call: string };

/** One after the other: each is bound to the arguments that were printed a moment ago. */
async function decided({ out }: Execution, { client, held, options, act }: Many): Promise<readonly ManyOutcome[]> {
  const by = personHere(options.by);
  const outcomes: ManyOutcome[] = [];
  for (const { run, call, argsHash } of held) {
    const base = { by, call, argsHash, ...(options.reason === undefined ? {} : { reason: options.reason }) };
    const sent = act.verb === 'approve' ? client.approve(run, base) : client.reject(run, { ...base, ...act.more });
    const outcome = { id: run, call, ...(await sent.catch(whenEnded)) };
    outcomes.push(outcome);
    if (out.format === 'text') out.lines([`${run} ${call}  ${outcome.state}${'because' in outcome ? `: ${outcome.because}` : ''}`]);
    if (out.format === 'jsonl') out.value(outcome);
  }
  return outcomes;
}

function whenEnded(error: unknown): DecisionOutcome {
  if (error instanceof RunEndedError) return { state: 'refused', because: 'the run has already ended' };
  throw error;
}

function codeOf(outcomes: readonly ManyOutcome[]): ExitCode {
  if (outcomes.some((one) => one.state === 'refused' && one.kind === 'not_allowed')) return EXIT.notAllowed;
  return outcomes.some(({ state }) => state === 'refused') ? EXIT.conflict : EXIT.ok;
}
