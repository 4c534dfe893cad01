import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { Effect } from '../core/agent.ts';

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
  /** Business identity of an effect: two calls with one key are one effect, across turns and runs. */
  readonly key?: (args: Args) => string;
  /** Default: true for `idempotent` and `once`, false for `read`. */
  readonly needsApproval?: boolean | ((args: Args) => boolean);
  /** Time-out of one attempt with its unit, e.g. `30s` (the default). */
  readonly timeout?: string;
  /** Attempts when the other side is unreachable; default 3, always 1 for `once`. */
  readonly retry?: { readonly attempts: number };
  /** Asked again and again on purpose (a status, a queue): equal calls are not counted as stuck. */
  readonly polls?: boolean;
  /** The sentence the model reads when the result is empty. */
  readonly emptyText?: (args: Args) => string;
  /** The sentence the model reads when `run` throws; `undefined` keeps the default. */
  readonly errorText?: (error: unknown, args: Args) => string | undefined;
  /** Asks the other side what became of a call whose result was lost. */
  readonly lookup?: (args: Args, context: ToolContext) => Promise<{ readonly happened: boolean; readonly result?: unknown } | undefined>;
  /** Result: anything that has a JSON text. `undefined`, null, '', [] and {} count as empty. */
  run(args: Args, context: ToolContext): unknown;
}
