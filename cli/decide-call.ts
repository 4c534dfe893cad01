import { RunEndedError } from '../client/errors.ts';
import { elsewhereText } from '../client/elsewhere-text.ts';
import type { ApprovalEntry } from '../client/inbox-entry.ts';
import type { TraceEntry } from '../client/types.ts';
import { durationText } from '../core/duration.ts';
import type { PersonItem } from '../core/transcript.ts';
import type { Verb } from '../core/verbs.ts';
import { agreed } from './agree.ts';
import { command } from './command-name.ts';
import { decideRun } from './decide-run.ts';
import { exactJson } from './exact-json.ts';
import type { CommonOptions, Execution } from './execute.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { heldCall, type NamedCall } from './held-call.ts';
import { labelled, plainText } from './plain-text.ts';
import { personHere } from './person.ts';
import type { Session } from './session.ts';
import { hashOption, whose } from './waiting-text.ts';
import { agoText, shortMoney } from './words.ts';

export interface CallOptions extends CommonOptions {
  readonly reason?: string;
  readonly argsHash?: string;
  readonly yes?: boolean;
  readonly detach?: boolean;
  readonly wait?: number;
}

/** A verb on one held call, with what its decision has beside the call and its hash. */
export type CallVerb =
  | { readonly verb: 'approve' }
  | { readonly verb: 'reject'; readonly more: { readonly reason: string } }
  | { readonly verb: 'respond'; readonly more: { readonly text: string } };

/**
 * Shows a held call, has it agreed to where something will run, and decides exactly what was shown: the hash of the
 * arguments goes with the decision.
 */
export async function decideCall(execution: Execution, named: NamedCall, { options, act }: { readonly options: CallOptions; readonly act: CallVerb }): Promise<ExitCode> {
  const { out } = execution;
  const session = await execution.open({ worker: 'if_none_polls' });
  const held = await heldCall(session.client, named).catch((error: unknown) => tellDecided(execution, { named, client: session.client, error }));
  if (!held) return notHeld(execution, named, { options, act, session });
  out.say(callText(held, out.style.width).join('\n'));
  const stop = await stopBefore(held, options, {
    out, question: act.verb === 'approve' ? 'Run exactly this? [y/N] ' : undefined, next: command('approve', held.run, held.call, ...hashOption(held)),
  });
  if (stop !== undefined) return stop;
  return sendDecision(execution, held, { options, act, session });
}

/** Whoever comes after the end is told who was first, too: the record knows. */
async function tellDecided({ out }: Execution, { named, client, error }: { readonly named: NamedCall; readonly client: Session['client']; readonly error: unknown }): Promise<never> {
  const decisions = error instanceof RunEndedError ? (await client.trace(named.id)).entries.flatMap(decisionIn) : [];
  const last = decisions.findLast(({ item }) => named.call === undefined || item.call === named.call);
  if (last) out.say(`${last.item.call} was decided by ${plainText(last.item.by.name)} (${last.item.verb})${last.atMs === undefined ? '' : ` on ${new Date(last.atMs).toISOString()}`}.`);
  throw error;
}

const DECIDES: readonly string[] = ['approve', 'edit', 'reject', 'respond'] satisfies readonly Verb[];

function decisionIn(entry: TraceEntry): readonly { readonly item: PersonItem; readonly atMs: number | undefined }[] {
  if (entry.kind !== 'item' || entry.item.type !== 'person') return [];
  const { item, atMs } = entry;
  return DECIDES.includes(item.verb) && item.refused === undefined ? [{ item, atMs }] : [];
}

interface Deciding {
  readonly options: CallOptions;
  readonly act: CallVerb;
  readonly session: Session;
}

function sendDecision(execution: Execution, { run, call, argsHash }: Pick<ApprovalEntry, 'run' | 'call' | 'argsHash'>, { options, act, session }: Deciding): Promise<ExitCode> {
  const by = personHere(options.by);
  const base = { by, call, argsHash, ...(options.reason === undefined ? {} : { reason: options.reason }) };
  const going = { ...watching(run, options), session };
  switch (act.verb) {
    case 'approve': return decideRun(execution, { ...going, verb: 'approve', decision: base });
    case 'reject': return decideRun(execution, { ...going, verb: 'reject', decision: { ...base, ...act.more } });
    case 'respond': return decideRun(execution, { ...going, verb: 'respond', decision: { ...base, ...act.more } });
  }
}

export function watching(id: string, { detach, wait }: CallOptions): { readonly id: string; readonly watch: boolean; readonly waitMs?: number } {
  return { id, watch: detach !== true, ...(wait === undefined ? {} : { waitMs: wait }) };
}

/** The run knows who was first; it is asked with the decision itself, which so is in its record. */
function notHeld(execution: Execution, { id, call }: NamedCall, decided: Deciding): Promise<ExitCode> {
  if (call !== undefined) return sendDecision(execution, { run: id, call, argsHash: '' }, decided);
  execution.out.say(`No call of ${id} waits for a decision.\nWhat became of its calls: ${command('trace', id)}`);
  return Promise.resolve(EXIT.conflict);
}

/** What a person reads before they decide: the exact bytes are on a line of their own and never wrapped or cut. */
export function callText(held: ApprovalEntry, width: number): readonly string[] {
  const nowMs = Date.now();
  const { run, agent, requestedBy, call, tool, summary, amount, args, argsHash, original, why, checks, heldAtMs, deadlineMs, orderedBy } = held;
  const field = (label: string, text: string | undefined) => (text === undefined ? [] : labelled(label, plainText(text), { indent: 10, width }));
  return [
    ...field('Run', [run, agent, requestedBy && `for ${requestedBy}`].filter(Boolean).join(' · ')),
    ...field('Call', `${call} ${tool}${orderedBy ? ` · ordered by ${orderedBy.name}` : ''}`),
    ...field('What', summary),
    ...field('Amount', amount && shortMoney(amount)),
    `${'Runs'.padEnd(10)}${exactJson(args)}`,
    ...(original ? [`${'Asked'.padEnd(10)}${exactJson(original)}`] : []),
    ...field('Hash', argsHash),
    ...field('Why', why),
    ...field('But', checks?.elsewhere && elsewhereText(checks.elsewhere)),
    ...field('Held', `${agoText(heldAtMs, nowMs)}, until ${new Date(deadlineMs).toISOString()} (${deadlineMs > nowMs ? `${durationText(deadlineMs - nowMs)} left` : 'over'})`),
    ...whose(held).flatMap((text) => field('Whose', text)),
    '',
  ];
}

interface Gate {
  readonly out: Execution['out'];
  /** Asked on a terminal; absent where nothing would run. */
  readonly question: string | undefined;
  /** The command that says the same off a terminal. */
  readonly next: string;
}

/**
 * Nothing runs by a habit: on a terminal the person is asked, elsewhere the hash of what they read, or --yes, says that
 * they mean it. A hash of something else stops in any case. Gives the exit code to stop with, or nothing.
 */
export async function stopBefore(held: ApprovalEntry, { argsHash, yes }: CallOptions, { out, question, next }: Gate): Promise<ExitCode | undefined> {
  if (argsHash !== undefined && !held.argsHash.startsWith(argsHash)) {
    out.say(`What is held as ${held.call} is not what ${argsHash} stands for: it was changed since, or the hash is mistyped. Nothing was sent.\nLook at it: ${command('show', held.run)}`);
    return EXIT.conflict;
  }
  if (question === undefined || yes === true || argsHash !== undefined || (await agreed(question))) return undefined;
  out.say('Nothing was sent.');
  if (!process.stdin.isTTY) out.say(`Off a terminal the hash of what you read, or --yes, says that you mean it:\n  ${next}`);
  return EXIT.usage;
}
