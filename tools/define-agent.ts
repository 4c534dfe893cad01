import type { ApprovalPolicy, Budget, ContextMarks, ContextSettings, CounterRule, Form, Limits } from '../core/agent.ts';
import { NO_COUNTS } from '../core/agent.ts';
import type { JsonObject } from '../core/json.ts';
import { DEFAULT_CONTEXT, DEFAULT_LIMITS, wholeNumberProblem } from '../core/limits.ts';
import type { PriceTable } from '../core/money.ts';
import { pricesProblem } from './prices-problem.ts';
import { parseApprovals } from './agent-approvals.ts';
import type { AgentApprovals } from './agent-approvals.ts';
import { parseLimits } from './agent-limits.ts';
import type { AgentLimits } from './agent-limits.ts';
import type { InputSchema } from './define-tool.ts';
import type { Notify } from './notify.ts';
import { jsonSchemaOf } from './tool-schema.ts';
import type { Tool } from './tool.ts';

/** What an author writes down about an agent. */
export interface AgentOptions {
  /** Up to 64 letters, digits, `.`, `_` and `-`; what `caseworker run` is given. */
  readonly name: string;
  /** Changes with every change that a running case must not get: runs go on with the version they started with. */
  readonly version: string;
  /** Who the agent is and how it works, for the model. */
  readonly instructions: string;
  /** Default: the model that the worker is set up with. */
  readonly model?: string;
  /** Default: `function-calling`. */
  readonly form?: Form;
  readonly tools: readonly Tool[];
  /** Rules that hold in every run; restated at the end of every prompt. */
  readonly constraints?: readonly string[];
  readonly limits?: AgentLimits;
  readonly context?: Partial<Omit<ContextMarks, 'conversationBytes'>>;
  readonly handOverWhen?: readonly HandOverRule[];
  /** Which calls a person decides beside those that their tools hold, who may, and until when. */
  readonly approvals?: AgentApprovals;
  /** Tells persons that something waits, is about to expire, was handed over or has ended. */
  readonly notify?: Notify;
  /** `wait` (default): a stopped run waits for a person; `end`: it ends at once. */
  readonly onStop?: 'wait' | 'end';
  /** Shape of a structured final answer; text when absent. */
  readonly answer?: InputSchema<unknown>;
  /** What the model's tokens cost; the worker's own table when absent. */
  readonly prices?: PriceTable;
}

export type HandOverRule = CallRule | CounterRule;

/** Forces a hand-over instead of a call: of this tool, or of any, with arguments that passed their check. */
export interface CallRule {
  readonly tool?: string;
  /** Default: every call. One that throws forces the hand-over. */
  readonly when?: (args: JsonObject, tool: string) => boolean;
  /** For the person who gets the run. */
  readonly reason: string;
}

/** An agent as the worker holds it. */
export interface AgentDefinition {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly model?: string;
  readonly form: Form;
  readonly tools: readonly Tool[];
  readonly constraints: readonly string[];
  readonly limits: Omit<Limits, 'budget'>;
  /** Absent: the default, which depends on whether a price is known. */
  readonly budget?: Budget;
  readonly context: ContextSettings;
  readonly callRules: readonly CallRule[];
  readonly counterRules: readonly CounterRule[];
  /** Absent: everybody may decide, within three days. */
  readonly approvals?: ApprovalPolicy;
  readonly holdRules?: readonly CallRule[];
  readonly notify?: Notify;
  readonly onStop: 'wait' | 'end';
  readonly answerSchema?: JsonObject;
  readonly prices?: PriceTable;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Makes an agent, once, when the worker starts. Throws an Error that names the agent and the fix when it cannot work. */
export function defineAgent(options: AgentOptions): AgentDefinition {
  const { name, version, instructions, model, form = 'function-calling', tools, constraints = [], onStop = 'wait' } = options;
  refuse(identityProblem(options) ?? toolsProblem(tools) ?? rulesProblem(options), name);
  if (form !== 'function-calling' && form !== 'text') refuse(`form must be "function-calling" or "text", not ${JSON.stringify(form)}`, name);
  if (onStop !== 'wait' && onStop !== 'end') refuse(`onStop must be "wait" or "end", not ${JSON.stringify(onStop)}`, name);
  const { budget, ...limits } = limitsOf(options);
  const rules = options.handOverWhen ?? [];
  return {
    name, version, instructions, form, tools, constraints, onStop,
    ...(model === undefined ? {} : { model }),
    limits: { ...DEFAULT_LIMITS, ...limits },
    ...(budget ? { budget } : {}),
    context: contextOf(options),
    callRules: rules.filter((rule): rule is CallRule => !('counter' in rule)),
    counterRules: rules.filter((rule): rule is CounterRule => 'counter' in rule),
    ...approvalsOf(options),
    ...(options.notify ? { notify: options.notify } : {}),
    ...(options.answer ? { answerSchema: jsonSchemaOf(options.answer, `Agent "${name}": answer`) } : {}),
    ...(options.prices ? { prices: options.prices } : {}),
  };
}

function refuse(problem: string | undefined, name: string): void {
  if (problem) throw new Error(`Agent "${String(name).slice(0, 80)}": ${problem}.`);
}

function approvalsOf({ name, approvals, tools }: AgentOptions): Pick<AgentDefinition, 'approvals' | 'holdRules'> {
  if (!approvals) return {};
  try {
    return { approvals: parseApprovals(approvals, tools), ...(approvals.hold ? { holdRules: approvals.hold } : {}) };
  } catch (error) {
    throw new Error(`Agent "${name}": ${error instanceof Error ? error.message : String(error)}.`, { cause: error });
  }
}

function limitsOf({ name, limits = {} }: AgentOptions): Partial<Limits> {
  try {
    return parseLimits(limits);
  } catch (error) {
    throw new Error(`Agent "${name}": ${error instanceof Error ? error.message : String(error)}.`, { cause: error });
  }
}

function identityProblem({ name, version, instructions, model, constraints, prices }: AgentOptions): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) return 'the name must be 1 to 64 letters, digits, ".", "_" and "-", starting with a letter or digit';
  if (typeof version !== 'string' || !NAME.test(version)) return 'the version must be a short text such as "1" or "2.1.0"';
  if (typeof instructions !== 'string' || instructions.trim() === '') return 'the instructions are empty: say who the agent is and how it works';
  if (model?.trim() === '') return 'the model is empty: leave it out to use the one the worker is set up with';
  if (constraints?.some((constraint) => constraint.trim() === '')) return 'a constraint is empty: leave it out, or write it';
  return prices ? pricesProblem(prices) : undefined;
}

function toolsProblem(tools: readonly Tool[]): string | undefined {
  if (!isList(tools)) return 'tools must be a list of what defineTool returned';
  const names = new Map<string, string>();
  for (const tool of tools) {
    if (typeof tool.prepare !== 'function') return 'a tool was not made by defineTool: wrap it, defineTool({ … })';
    // A model, and a provider that folds names, would take `Refund` and `refund` for each other.
    const other = names.get(tool.name.toLowerCase());
    if (other !== undefined) return `two tools are called "${other}"${other === tool.name ? '' : ` and "${tool.name}"`}: rename one`;
    names.set(tool.name.toLowerCase(), tool.name);
  }
  return undefined;
}

/** `Array.isArray` would make `any` of the list's type. */
function isList(value: unknown): boolean {
  return Array.isArray(value);
}

function rulesProblem(options: AgentOptions): string | undefined {
  const { notify, handOverWhen = [], approvals } = options;
  if (notify !== undefined && typeof notify !== 'function') return 'notify must be a function';
  return handOverProblem(options, handOverWhen) ?? (approvals?.hold ?? []).map((rule) => callRuleProblem(options, rule, 'approvals.hold')).find((problem) => problem !== undefined);
}

function handOverProblem(options: AgentOptions, handOverWhen: readonly HandOverRule[]): string | undefined {
  for (const rule of handOverWhen) {
    const problem = 'counter' in rule ? reasonProblem(rule, 'handOverWhen') ?? counterProblem(rule) : callRuleProblem(options, rule, 'handOverWhen');
    if (problem) return problem;
  }
  return undefined;
}

function reasonProblem({ reason }: HandOverRule, where: string): string | undefined {
  return typeof reason !== 'string' || reason.trim() === '' ? `a rule of ${where} has no reason: say why a person is needed` : undefined;
}

function callRuleProblem({ tools }: AgentOptions, rule: CallRule, where: string): string | undefined {
  if (rule.tool !== undefined && !tools.some(({ name }) => name === rule.tool)) {
    return `${where} names the tool "${rule.tool}", but the agent has: ${tools.map(({ name }) => name).join(', ') || 'none'}`;
  }
  if (rule.tool === undefined && rule.when === undefined) {
    return `a rule of ${where} names neither a tool nor a condition: it would stop every run at its first call`;
  }
  return reasonProblem(rule, where);
}

function counterProblem({ counter, atLeast }: CounterRule): string | undefined {
  if (!Object.hasOwn(NO_COUNTS, counter)) return `handOverWhen names the counter "${String(counter)}"; there are: ${Object.keys(NO_COUNTS).join(', ')}`;
  return wholeNumberProblem('atLeast', atLeast, Number.MAX_SAFE_INTEGER);
}

/** Smaller than this and the mark that says what was cut would not fit. */
const LEAST_OBSERVATION_CHARS = 200;

/** Those that an author may name. */
const MARKS: Readonly<Record<Exclude<keyof ContextMarks, 'conversationBytes'>, true>> = {
  observationChars: true, elideAboveTokens: true, summariseAboveTokens: true, summaryChars: true, historyEvents: true, historyBytes: true,
};

function contextOf({ name, context = {} }: AgentOptions): ContextSettings {
  const marks: ContextSettings = { ...DEFAULT_CONTEXT, ...context };
  for (const [mark, value] of Object.entries(marks)) {
    if (!Object.hasOwn(MARKS, mark)) refuse(`there is no context mark "${mark}": use ${Object.keys(MARKS).join(', ')}`, name);
    refuse(wholeNumberProblem(`context.${mark}`, value, Number.MAX_SAFE_INTEGER), name);
  }
  if (marks.observationChars < LEAST_OBSERVATION_CHARS) refuse(`context.observationChars must be at least ${LEAST_OBSERVATION_CHARS}`, name);
  const { elideAboveTokens = 0, summariseAboveTokens = elideAboveTokens } = marks;
  if (summariseAboveTokens < elideAboveTokens) refuse('context.summariseAboveTokens must not be below context.elideAboveTokens', name);
  return marks;
}
