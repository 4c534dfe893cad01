import { Context } from '@temporalio/activity';
import type { ActInput, ActResult, BlobStore, LocalMiss } from '../core/contract.ts';
import { BUILT_IN } from '../core/names.ts';
import { hashOf } from '../tools/pinned-from.ts';
import type { Registry } from '../tools/registry.ts';
import type { Tool } from '../tools/tool.ts';
import { createEffectBook } from './effect-book.ts';
import type { EffectBook } from './effect-book.ts';
import { haveEffect } from './have-effect.ts';
import { whileBeating } from './heartbeats.ts';
import { withinMoment } from './local-read.ts';
import { recall } from './recall.ts';
import { runTool } from './run-tool.ts';
import { approvalProblem } from './approval-problem.ts';
import { offReason } from './switches.ts';
import { outcomeOfStoreFailure } from './tool-outcome.ts';
import { otherArguments } from './other-arguments.ts';
import { observe } from './tool-observation.ts';
import type { Outcome } from './tool-observation.ts';

export interface ActParts {
  readonly registry: Registry;
  readonly blobs: BlobStore;
}

/**
 * Runs one tool call and brings back its observation. What the tool or its arguments did wrong is inside; only an
 * other side that is unreachable, with attempts left, is thrown (`Tool.Unavailable`), so that Temporal tries again.
 */
export function createAct({ registry, blobs }: ActParts): (input: ActInput) => Promise<ActResult | LocalMiss> {
  const book = createEffectBook(blobs);
  const act = async (input: ActInput) => {
    const startMs = performance.now();
    const outcome = await outcomeOf(input, { registry, blobs, book });
    return observe(input, outcome, { blobs, ms: Math.round(performance.now() - startMs) });
  };
  // A local read has no heartbeat: the workflow task that waits for it is its sign of life.
  return (input) => (Context.current().info.isLocal ? withinMoment(input, () => act(input)) : whileBeating(() => act(input)));
}

async function outcomeOf(input: ActInput, { registry, blobs, book }: ActParts & { readonly book: EffectBook }): Promise<Outcome> {
  if (input.tool === BUILT_IN.recall) return recall(input, blobs).catch(outcomeOfStoreFailure);
  const tool = findTool(input, registry);
  if ('text' in tool) return unlessBegun(input, tool);
  const refused = (await switchedOff(input, blobs)) ?? approvalProblem(input, tool, registry.findAgent(input.agent.name, input.agent.version));
  if (refused) return unlessBegun(input, refused);
  const prepared = await tool.prepare(input.args);
  if (!prepared.ok) return unlessBegun(input, { status: 'error', text: `Not run: the arguments of ${tool.name} are wrong: ${prepared.problem}.` });
  const run = { input, tool, call: prepared.call };
  return tool.facts.effect === 'read' ? runTool(run) : haveEffect(run, tool.facts.effect, book);
}

/** "Not run" is true of a first attempt only: an earlier one of a write may have had its effect before it was lost. */
function unlessBegun({ tool, effect, key, hash }: ActInput, refused: Outcome): Outcome {
  const { attempt } = Context.current().info;
  if (attempt === 1 || effect === undefined) return refused;
  return {
    status: 'unknown',
    text: `An earlier attempt of ${tool} was lost and may have happened; it was not made again (${refused.text}) A person must find out.`,
    effect: { kind: effect, hash, attempts: attempt - 1, ...(key === undefined ? {} : { key }) },
  };
}

/** A person has said that nobody may use it for now: the run goes to a person too. */
async function switchedOff({ agent, tool }: ActInput, blobs: BlobStore): Promise<Outcome | undefined> {
  const [ofTool, ofAgent] = await Promise.all([offReason(blobs, agent.name, tool), offReason(blobs, agent.name)]);
  const off = ofTool ?? ofAgent;
  if (off === undefined) return undefined;
  return { status: 'skipped', text: `Not run: ${off}.`, handOver: off, ...(ofTool === undefined ? { handOverDetail: 'agent_off' } : {}) };
}

/** The tool of exactly this agent and version: a call is never redirected to another tool, nor made of one that takes it for another call. */
function findTool(input: ActInput, registry: Registry): Tool | Outcome {
  const { agent, tool: name } = input;
  const definition = registry.findAgent(agent.name, agent.version);
  const tool = registry.findTool(agent.name, agent.version, name);
  if (!definition || !tool) {
    Context.current().log.warn('a run asks for a tool that this worker does not have', { agent: agent.name, version: agent.version, tool: name });
    return notHere(`the worker that runs now has no ${name} for ${agent.name} ${agent.version}`, 'tool_gone');
  }
  const change = changeOf(input, tool, hashOf(definition) === agent.hash);
  return change === undefined ? tool : notHere(change, 'agent_changed');
}

/** What of a tool is not as it was when this call was checked. Another prompt, price, limit or description is nothing to it. */
function changeOf({ args, key, effect }: ActInput, tool: Tool, isSameAgent: boolean): string | undefined {
  const { name, facts } = tool;
  const was = effect ?? 'read';
  if (!isSameAgent && facts.effect !== was) return `${name} has the effect "${facts.effect}" now, and had "${was}" when this run started`;
  const problem = isSameAgent ? undefined : otherArguments(facts, args);
  if (problem !== undefined || facts.effect === 'read' || key !== undefined) return problem;
  // Checked where the tool was not deployed, the call never got the key by which other runs know the same case.
  const judgement = tool.judge(args);
  return judgement.ok && judgement.key !== undefined ? `nobody who knew ${name} has checked this call, so its business case is not known` : undefined;
}

/** Neither the model nor another attempt can help: a person brings the tool back, or ends the run. */
function notHere(why: string, handOverDetail: Outcome['handOverDetail']): Outcome {
  return { status: 'error', text: `Not run: ${why}.`, handOver: `${why}: bring back a worker that has it, then resume the run.`, handOverDetail };
}
