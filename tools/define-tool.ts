import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { Effect, ToolFacts } from '../core/agent.ts';
import { durationMs } from '../core/duration.ts';
import { isJsonObject } from '../core/json.ts';
import { wholeNumberProblem } from '../core/limits.ts';
import { bindTool } from './bind-tool.ts';
import { toolNameProblem } from './tool-name.ts';
import { jsonSchemaOf } from './tool-schema.ts';
import type { Tool } from './tool.ts';

/** A schema that validates and describes itself as JSON Schema: zod 4.2+, ArkType, Valibot with its JSON Schema package. */
export type InputSchema<Args> = StandardSchemaV1<unknown, Args> & StandardJSONSchemaV1<unknown, Args>;

/** What a running tool gets beside its arguments. */
export interface ToolContext {
  /** Aborted when the run is cancelled or the time-out is near; pass it to `fetch` and the like. */
  readonly signal: AbortSignal;
  /** The same on every attempt of this call; give it to the other side so that a second attempt is not a second effect. */
  readonly idempotencyKey: string;
  /** Says that a long call is alive. */
  heartbeat(): void;
  log(message: string): void;
}

/** A tool: facts and one function. */
export interface ToolDefinition<Args = never> {
  /** 1 to 64 letters, digits, `_`, `-` or `.`; what the model calls. */
  readonly name: string;
  /** One or two sentences for the model: what it returns, when to use it. */
  readonly description: string;
  readonly input: InputSchema<Args>;
  readonly effect: Effect;
  /** Fields that hold an id, with the kind of thing: an id never seen in the run is refused. */
  readonly ids?: Readonly<Partial<Record<keyof Args & string, string>>>;
  /**
   * For a read: its result repeats an argument only where the argument turned out to be true (a search that returns its
   * hits and not the query). Default false: what a result only gives back is no evidence that it exists.
   */
  readonly confirmsArguments?: boolean;
  /**
   * Business identity of an effect: two calls with one key are one effect, across turns and runs. What may happen once
   * should have one: without it two calls are one only where their arguments are equal, and ₹25 is not ₹25.00.
   */
  readonly key?: (args: Args) => string;
  /** How long the other side remembers an idempotency key, e.g. `24h`: after it a call is not sent again. Default: for ever. */
  readonly keysKeptFor?: string;
  /** The call in one sentence for the person who decides it: `Refund ₹25 for order 88213`. */
  readonly summary?: (args: Args) => string;
  /** Money that the call moves, with its currency: `25 INR`. Limits of who may decide are measured on it. */
  readonly amount?: (args: Args) => string | undefined;
  /** Default: true for `idempotent` and `once`, false for `read`. */
  readonly needsApproval?: boolean | ((args: Args) => boolean);
  /** Time-out of one attempt with its unit, e.g. `30s` (the default). */
  readonly timeout?: string;
  /** Attempts when the other side is unreachable; default 3, always 1 for `once`. */
  readonly retry?: { readonly attempts: number };
  /** Asked again and again on purpose (a status, a queue): equal calls are not counted as stuck. */
  readonly polls?: boolean;
  /**
   * For a read: whether it is made within the workflow task, which saves half of a turn's round trips. It gets a second
   * there; one that took longer or failed is made once more, as an activity of its own, which Temporal's pages show while
   * it runs. Default: yes where `timeout` is at most 5s, else no.
   */
  readonly local?: boolean;
  /** The sentence the model reads when the result is empty. */
  readonly emptyText?: (args: Args) => string;
  /** The sentence the model reads when `run` throws; `undefined` keeps the default. */
  readonly errorText?: (error: unknown, args: Args) => string | undefined;
  /** Asks the other side what became of a call whose result was lost. */
  readonly lookup?: (args: Args, context: ToolContext) => Promise<{ readonly happened: boolean; readonly result?: unknown } | undefined>;
  /** Result: anything that has a JSON text. `undefined`, null, '', [] and {} count as empty. */
  run(args: Args, context: ToolContext): unknown;
}

const EFFECTS: readonly string[] = ['read', 'idempotent', 'once'] satisfies readonly Effect[];
const DEFAULT_TIMEOUT = '30s';
/** Enough for a blip of the network; more would hold up a run that waits for the answer. */
const DEFAULT_ATTEMPTS = 3;
const MOST_ATTEMPTS = 20;

/** Makes a tool, once, when the worker starts. Throws an Error that names the tool and the fix when it cannot work. */
export function defineTool<Args>(definition: ToolDefinition<Args>): Tool {
  const facts = factsOf(definition);
  return {
    name: facts.name, facts, hasLookup: definition.lookup !== undefined, hasAmount: definition.amount !== undefined, ...keysKept(definition), ...bindTool(definition, facts),
  };
}

function factsOf<Args>(definition: ToolDefinition<Args>): ToolFacts {
  const { name, description, input, effect, needsApproval, polls } = definition;
  const wrongName = toolNameProblem(name);
  if (wrongName) throw new Error(wrongName);
  const tool = `Tool "${name}"`;
  if (typeof description !== 'string' || description.trim() === '') throw new Error(`${tool} has no description: say in a sentence what it returns and when to use it.`);
  if (!EFFECTS.includes(effect)) throw new Error(`${tool}: effect must be one of ${EFFECTS.join(', ')}, not ${JSON.stringify(effect)}.`);
  if (typeof definition.run !== 'function') throw new Error(`${tool} has no run function.`);
  const schema = jsonSchemaOf(input, `${tool}: input`);
  return {
    name, description, schema, effect,
    ids: idsOf(definition, schema),
    ...(definition.confirmsArguments === true ? { confirmsArguments: true } : {}),
    approval: typeof needsApproval === 'function' ? 'by_rule' : (needsApproval ?? effect !== 'read') ? 'always' : 'never',
    timeoutMs: timeoutMs(definition.timeout ?? DEFAULT_TIMEOUT, tool),
    maxAttempts: attempts(definition, tool),
    ...(definition.lookup ? { canLookUp: true } : {}),
    polls: polls ?? false,
    ...localOf(definition, tool),
  };
}

/** What has an effect must not be made twice because a workflow task was lost, and neither what may be tried only once. */
function localOf<Args>({ local, effect, retry }: ToolDefinition<Args>, tool: string): Pick<ToolFacts, 'local'> {
  if (local === undefined) return {};
  if (local && effect !== 'read') throw new Error(`${tool}: local is for reads: a call with an effect "${effect}" must not be made again when a worker is lost.`);
  if (local && retry?.attempts === 1) throw new Error(`${tool}: local needs a second attempt, for a read that fails or takes too long: leave out retry, or local.`);
  return { local };
}

function idsOf<Args>({ name, ids }: ToolDefinition<Args>, { properties }: ToolFacts['schema']): ToolFacts['ids'] {
  const fields = isJsonObject(properties) ? Object.keys(properties) : [];
  return Object.fromEntries(
    Object.entries(ids ?? {}).map(([field, kind]) => {
      if (!fields.includes(field)) throw new Error(`Tool "${name}": ids names the field "${field}", but its input has only: ${fields.join(', ') || 'none'}.`);
      if (typeof kind !== 'string' || kind.trim() === '') throw new Error(`Tool "${name}": ids.${field} must say what the id names, e.g. 'order'.`);
      return [field, kind];
    }),
  );
}

function keysKept<Args>({ name, effect, keysKeptFor }: ToolDefinition<Args>): Pick<Tool, 'keysKeptMs'> {
  if (keysKeptFor === undefined) return {};
  if (effect !== 'idempotent') throw new Error(`Tool "${name}": keysKeptFor is about idempotency keys, so it needs the effect "idempotent".`);
  const ms = durationMs(keysKeptFor);
  if (ms === undefined || ms <= 0) throw new Error(`Tool "${name}": keysKeptFor must be a number above 0 with its unit, e.g. "24h", not ${JSON.stringify(keysKeptFor)}.`);
  return { keysKeptMs: ms };
}

function timeoutMs(text: string, tool: string): number {
  const ms = durationMs(text);
  if (ms === undefined || ms <= 0) throw new Error(`${tool}: timeout must be a number above 0 with its unit, e.g. "30s" or "2m", not ${JSON.stringify(text)}.`);
  return ms;
}

function attempts<Args>({ effect, retry }: ToolDefinition<Args>, tool: string): number {
  if (effect === 'once') {
    if (retry && retry.attempts !== 1) throw new Error(`${tool}: an effect "once" gets one attempt. Leave out retry, or make it "idempotent" if a second attempt is harmless.`);
    return 1;
  }
  const wanted = retry?.attempts ?? DEFAULT_ATTEMPTS;
  const problem = wholeNumberProblem('retry.attempts', wanted, MOST_ATTEMPTS);
  if (problem) throw new Error(`${tool}: ${problem}.`);
  return wanted;
}
