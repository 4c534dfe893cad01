import type { ToolFacts } from '../core/agent.ts';
import { oneLine } from '../core/data-text.ts';
import { utf8Bytes } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { BUILT_IN } from '../core/names.ts';
import { nearestNames } from '../core/nearest-name.ts';
import type { ReadAction } from '../core/reply.ts';
import type { CallAction, InvalidAction } from '../core/transcript.ts';
import type { AgentDefinition, CallRule } from '../tools/define-agent.ts';
import { callHash } from './call-hash.ts';
import type { CheckContext } from './check-reply.ts';
import { exampleJson } from './example-json.ts';
import { invalid } from './invalid-action.ts';
import { otherArguments } from './other-arguments.ts';
import { schemaProblems, unnamedFields } from './schema-problems.ts';
import { unseenId, unseenText } from './unseen-id.ts';

/** Larger arguments come near Temporal's limit for a payload, and no model means them. */
const MAX_ARGUMENTS_BYTES = 128 * 1024;
const NAMES_SHOWN = 20;

type Said = Extract<ReadAction, { kind: 'call' }>;
/** A call that can run, with why a person must decide it first, or what is wrong with it. */
export type CheckedCall = (Omit<CallAction, 'id' | 'approval'> & { readonly why?: string }) | Omit<InvalidAction, 'id'>;

/** Known tool, arguments that fit, ids that were seen; then what the tool's and the agent's own rules say. */
export function checkCall(said: Said, context: CheckContext): CheckedCall {
  const { tool, args, raw } = said;
  const facts = context.agent.tools.find(({ name }) => name === tool);
  const hash = callHash(tool, args, facts);
  const refused = { tool, raw, identity: hash };
  const tooLong = lengthProblem(tool, args);
  if (tooLong) return invalid('bad_arguments', { ...refused, text: tooLong });
  if (tool === BUILT_IN.recall) return { kind: 'call', tool, args, hash, needsApproval: false };
  if (!facts) return invalid('unknown_tool', { ...refused, text: unknownTool(tool, context) });
  const wrong = argumentsProblem(facts, args);
  if (wrong) return invalid('bad_arguments', { ...refused, text: wrong });
  const unseen = unseenId(facts, args, context.evidence);
  if (unseen) return invalid('unseen_id', { ...refused, text: unseenText(unseen, facts, context) });
  return judged({ said, hash, facts, definition: context.definition });
}

function unknownTool(tool: string, { agent: { tools } }: CheckContext): string {
  const names = nearestNames(tool, tools.map(({ name }) => name)).slice(0, NAMES_SHOWN);
  const more = tools.length > names.length ? ', …' : '';
  const builtIns = Object.values(BUILT_IN).join(', ');
  const which = names.length > 0 ? `The tools are: ${names.join(', ')}${more}. Beside them there are` : 'There are only';
  return `There is no tool "${oneLine(tool, 80)}". ${which} ${builtIns}.`;
}

function lengthProblem(tool: string, args: JsonObject): string | undefined {
  const bytes = utf8Bytes(JSON.stringify(args));
  if (bytes <= MAX_ARGUMENTS_BYTES) return undefined;
  return `The arguments of ${tool.slice(0, 80)} have ${Math.ceil(bytes / 1024)} KiB; at most ${MAX_ARGUMENTS_BYTES / 1024} KiB are allowed. Say it shorter, or in several calls.`;
}

function argumentsProblem({ name, schema }: ToolFacts, args: JsonObject): string | undefined {
  const problems = [...unnamedFields(schema, args), ...schemaProblems(schema, args)];
  if (problems.length === 0) return undefined;
  return `The arguments of ${name} do not fit: ${problems.join('; ')}. Call it again with corrected arguments, for example ${exampleJson(schema)}`;
}

interface Judged {
  readonly said: Said;
  readonly hash: string;
  readonly facts: ToolFacts;
  readonly definition: AgentDefinition | undefined;
}

function judged({ said: { tool, args, raw }, hash, facts, definition }: Judged): CheckedCall {
  const forced = definition?.callRules.find((rule) => applies(rule, tool, args));
  const effect = facts.effect === 'read' ? {} : { effect: facts.effect };
  const call = { kind: 'call', tool, args, hash, ...effect, ...(forced ? { handOver: forced.reason } : {}) } as const;
  const deployed = definition?.tools.find(({ name }) => name === tool);
  const judgement = deployed?.judge(args);
  // The code that knows the rule is gone: whatever it would have said, a person may say it now.
  if (!judgement) return { ...call, ...heldBecause(facts.approval === 'never' ? undefined : `the rules of ${tool} are not deployed any more`) };
  // The model has the schema that the run was given; what a later one wants no arguments of it can mend.
  const changed = judgement.ok || !deployed ? undefined : otherArguments(deployed.facts, args);
  if (changed !== undefined) return { ...call, needsApproval: false, handOver: `${changed}: bring back a worker that takes them, then resume the run.`, handOverDetail: 'agent_changed' };
  if (!judgement.ok) return invalid('bad_arguments', { tool, raw, identity: hash, text: `${tool} was not run: ${judgement.problem}. Call it again with corrected arguments.` });
  return {
    ...call,
    ...(judgement.key === undefined ? {} : { key: judgement.key }),
    ...heldBecause(reasonToHold({ facts, args, definition, ruleHolds: judgement.needsApproval })),
  };
}

function heldBecause(why: string | undefined): { readonly needsApproval: boolean; readonly why?: string } {
  return why === undefined ? { needsApproval: false } : { needsApproval: true, why };
}

interface HoldFacts {
  readonly facts: ToolFacts;
  readonly args: JsonObject;
  readonly definition: AgentDefinition | undefined;
  readonly ruleHolds: boolean;
}

/** The strictest wins: a rule can hold a call that the pinned facts let pass, never let pass one that they hold. */
export function reasonToHold({ facts, args, definition, ruleHolds }: HoldFacts): string | undefined {
  const byAgent = definition?.holdRules?.find((rule) => applies(rule, facts.name, args));
  if (byAgent) return byAgent.reason;
  if (facts.approval === 'always') return facts.effect === 'read' ? `${facts.name} asks for approval` : `${facts.name} has an effect`;
  return ruleHolds ? `the rule of ${facts.name} asks for it with these arguments` : undefined;
}

/** A rule that throws cannot say no: the call is handed over. */
function applies({ tool, when }: CallRule, asked: string, args: JsonObject): boolean {
  if (tool !== undefined && tool !== asked) return false;
  try {
    return when ? Boolean(when(args, asked)) : true;
  } catch {
    return true;
  }
}
