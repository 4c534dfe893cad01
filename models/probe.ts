import type { Form } from '../core/agent.ts';
import { nearNames } from '../core/nearest-name.ts';
import { FAILURE } from '../core/names.ts';
import type { ModelReply } from '../core/reply.ts';
import type { ModelEndpoint } from './model-endpoint.ts';
import { ModelFailure } from './model.ts';
import { openAiChat, settingsProblem } from './openai-chat.ts';
import { CHECKS, judgePlain, judgeUsage } from './probe-checks.ts';
import type { Ask, Check } from './probe-checks.ts';
import { failed, finding, notReached, PROBES, works } from './probe-finding.ts';
import type { Finding, ProbeName, Shown } from './probe-finding.ts';
import { listedModels } from './probe-list.ts';
import type { ProbeLimits } from './probe-list.ts';
import { PLAIN_PROMPT } from './probe-prompts.ts';

/** Enough for a model that reasons before it answers; with the number of probes it bounds what a probing costs. */
const OUTPUT_TOKENS = 1_024;

export interface ProbeOptions extends ProbeLimits {
  /** Called before the request of a probe. */
  readonly onStart: (probe: ProbeName) => void;
}

export interface ProbeReport {
  /** One for each of PROBES, in their order. */
  readonly findings: readonly Finding[];
  /** The form to use; absent when neither works. */
  readonly form?: Form;
  /** Parameters that the server refused and that were left out. */
  readonly leftOut: readonly string[];
  /** Why the probing ended early, with the fix. */
  readonly problem?: string;
}

/**
 * Finds out what a model server does with what runs ask of it: at most eight requests, none tried again but without a
 * parameter that was refused. Whatever the server does is a finding; only an abort throws, the signal's reason.
 */
export async function probeModel(endpoint: ModelEndpoint, options: ProbeOptions): Promise<ProbeReport> {
  const problem = settingsProblem(endpoint.baseURL, endpoint.apiKey.trim());
  if (problem) return endedEarly([], problem);
  options.onStart('reachable');
  const listed = await orFailure(() => listedModels(endpoint, options));
  if (listed instanceof ModelFailure) return endedEarly([finding('reachable', failed(listed))], listed);
  const reached = finding('reachable', works(''));
  const ask = asker(endpoint, options);
  options.onStart('plain reply');
  const plain = await orFailure(() => ask(PLAIN_PROMPT));
  const known = finding('model known', modelKnown(endpoint.model, listed, plain));
  if (plain instanceof ModelFailure) return endedEarly([reached, known, finding('plain reply', failed(plain))], plain);
  const first = [reached, known, finding('plain reply', judgePlain(plain)), finding('usage', judgeUsage(plain))];
  return reportOf(first, await runChecks(ask, options.onStart), plain);
}

function asker({ baseURL, apiKey, model }: ModelEndpoint, { timeoutMs, signal }: ProbeLimits): Ask {
  return (prompt, { strict } = { strict: false }) =>
    openAiChat({ baseURL, apiKey, strict }).complete({ model, prompt, maxOutputTokens: OUTPUT_TOKENS, timeoutMs, signal });
}

async function orFailure<T>(ask: () => Promise<T>): Promise<T | ModelFailure> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
}

/** A list need not be complete (aliases, fine-tuned models): a reply is what counts. */
function modelKnown(model: string, listed: readonly string[] | undefined, plain: ModelReply | ModelFailure): Shown {
  if (listed?.includes(model)) return works('');
  if (!(plain instanceof ModelFailure)) return works('');
  if (plain.type !== FAILURE.modelNotFound) return notReached('');
  const near = nearNames(model, listed ?? []).slice(0, 3);
  return { result: 'refused', saw: near.length > 0 ? `the server has: ${near.join(', ')}` : 'the server does not have it', failure: plain.type };
}

async function runChecks(ask: Ask, onStart: ProbeOptions['onStart']): Promise<readonly Checked[]> {
  const heard = new Map<ProbeName, ModelReply>();
  const checked: Checked[] = [];
  for (const check of CHECKS) {
    const prompt = check.prompt(heard);
    if (prompt) onStart(check.probe);
    const reply = prompt && (await orFailure(() => ask(prompt, { strict: check.strict ?? false })));
    checked.push({ finding: finding(check.probe, shownBy(check, reply)), dropped: reply instanceof ModelFailure ? [] : (reply?.dropped ?? []) });
    if (reply && !(reply instanceof ModelFailure)) heard.set(check.probe, reply);
  }
  return checked;
}

interface Checked {
  readonly finding: Finding;
  readonly dropped: readonly string[];
}

function shownBy(check: Check, reply: ModelReply | ModelFailure | undefined): Shown {
  if (reply === undefined) return notReached('needs a call that works');
  return reply instanceof ModelFailure ? failed(reply) : check.judge(reply);
}

function reportOf(first: readonly Finding[], checked: readonly Checked[], plain: ModelReply): ProbeReport {
  const findings = [...first, ...checked.map((each) => each.finding)];
  const form = formFor(findings);
  const leftOut = [...new Set([...plain.dropped, ...checked.flatMap(({ dropped }) => dropped)])];
  return { findings, leftOut, ...(form ? { form } : {}) };
}

/** Function calling where it works whole: the server then keeps thought, calls and results apart. */
function formFor(findings: readonly Finding[]): Form | undefined {
  const does = (probe: ProbeName) => findings.some((found) => found.probe === probe && found.result === 'works');
  if (does('one call') && does('result round trip')) return 'function-calling';
  return does('text form') ? 'text' : undefined;
}

function endedEarly(findings: readonly Finding[], failure: ModelFailure): ProbeReport {
  const rest = PROBES.filter((probe) => findings.every((found) => found.probe !== probe));
  const findingsOfRest = rest.map((probe) => finding(probe, notReached('')));
  return { findings: [...findings, ...findingsOfRest], leftOut: [], problem: failure.message };
}
