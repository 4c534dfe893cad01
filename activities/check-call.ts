import type { ToolFacts } from '../core/agent.ts';
import { hasId } from '../core/evidence.ts';
import type { Evidence } from '../core/evidence.ts';
import { isJsonObject, utf8Bytes } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { BUILT_IN } from '../core/names.ts';
import { nearestNames } from '../core/nearest-name.ts';
import type { ReadAction } from '../core/reply.ts';
import type { CallAction, InvalidAction } from '../core/transcript.ts';
import type { AgentDefinition, CallRule } from '../tools/define-agent.ts';
import { callHash } from './call-hash.ts';
import type { CheckContext } from './check-reply.ts';
import { invalid } from './invalid-action.ts';
import { schemaProblems } from './schema-problems.ts';

/** Larger arguments come near Temporal's limit for a payload, and no model means them. */
const MAX_ARGUMENTS_BYTES = 128 * 1024;
const NAMES_SHOWN = 20;

type Said = Extract<ReadAction, { kind: 'call' }>;
export type CheckedCall = Omit<CallAction, 'id'> | Omit<InvalidAction, 'id'>;

/** Known tool, arguments that fit, ids that were seen; then what the tool's and the agent's own rules say. */
export function checkCall(said: Said, context: CheckContext): CheckedCall {
  const { tool, args, raw } = said;
  if (tool === BUILT_IN.recall) return { kind: 'call', tool, args, hash: callHash(tool, args, {}), needsApproval: false };
  const facts = context.agent.tools.find(({ name }) => name === tool);
  if (!facts) return invalid('unknown_tool', { tool, raw, text: unknownTool(tool, context) });
  const wrong = argumentsProblem(facts, args);
  if (wrong) return invalid('bad_arguments', { tool, raw, text: wrong });
  const unseen = unseenId(facts, args, context.evidence);
  if (unseen) return invalid('unseen_id', { tool, raw, text: unseenText(unseen, facts) });
  return judged({ said, facts, definition: context.definition });
}

function unknownTool(tool: string, { agent }: CheckContext): string {
  const names = nearestNames(tool, agent.tools.map(({ name }) => name)).slice(0, NAMES_SHOWN);
  const more = agent.tools.length > names.length ? ', …' : '';
  return `There is no tool "${tool.slice(0, 80)}". The tools are: ${names.join(', ')}${more}. Beside them there are ${Object.values(BUILT_IN).join(', ')}.`;
}

function argumentsProblem({ name, schema }: ToolFacts, args: JsonObject): string | undefined {
  const bytes = utf8Bytes(JSON.stringify(args));
  if (bytes > MAX_ARGUMENTS_BYTES) {
    return `The arguments of ${name} have ${Math.ceil(bytes / 1024)} KiB; at most ${MAX_ARGUMENTS_BYTES / 1024} KiB are allowed. Say it shorter, or in several calls.`;
  }
  const problems = schemaProblems(schema, args);
  if (problems.length === 0) return undefined;
  return `The arguments of ${name} do not fit: ${problems.join('; ')}. Call it again with corrected arguments.`;
}

interface UnseenId {
  readonly field: string;
  readonly value: string;
  readonly kind: string;
}

function unseenId({ ids }: ToolFacts, args: JsonObject, evidence: Evidence): UnseenId | undefined {
  for (const [field, kind] of Object.entries(ids)) {
    const values = Object.hasOwn(args, field) ? textsIn(args[field] ?? null) : [];
    const value = values.find((one) => !hasId(evidence, one));
    if (value !== undefined) return { field, value, kind };
  }
  return undefined;
}

/** Ids may stand in lists and objects; a number is an id as well as a text. */
function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

function unseenText({ field, value, kind }: UnseenId, { name }: ToolFacts): string {
  return (
    `${name} was not run: the ${kind} id "${value.slice(0, 80)}" (${field}) stands nowhere in this run, neither in the task, nor in a result, nor in what a person said. ` +
    'Take ids from there, look it up with another tool, or ask a person for it.'
  );
}

function judged({ said, facts, definition }: { readonly said: Said; readonly facts: ToolFacts; readonly definition: AgentDefinition | undefined }): CheckedCall {
  const { tool, args, raw } = said;
  const call = { kind: 'call', tool, args, hash: callHash(tool, args, facts.ids) } as const;
  const judgement = definition?.tools.find(({ name }) => name === tool)?.judge(args);
  // The code that knows the rule is gone: whatever it would have said, a person may say it now.
  if (!judgement) return { ...call, needsApproval: facts.approval !== 'never' };
  if (!judgement.ok) return invalid('bad_arguments', { tool, raw, text: `${tool} was not run: ${judgement.problem}` });
  const forced = definition?.callRules.find((rule) => applies(rule, tool, args));
  return {
    ...call,
    ...(judgement.key === undefined ? {} : { key: judgement.key }),
    // A rule can hold a call that the pinned facts let pass, never let pass one that they hold.
    needsApproval: judgement.needsApproval || facts.approval === 'always',
    ...(forced ? { handOver: forced.reason } : {}),
  };
}

/** A rule that throws cannot say no: the call is handed over. */
function applies({ tool, when }: CallRule, asked: string, args: JsonObject): boolean {
  if (tool !== undefined && tool !== asked) return false;
  try {
    return when ? when(args, asked) : true;
  } catch {
    return true;
  }
}
