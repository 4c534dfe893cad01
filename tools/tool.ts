import type { ToolFacts } from '../core/agent.ts';
import type { JsonObject } from '../core/json.ts';
import type { Money } from '../core/money.ts';
import type { ToolContext } from './define-tool.ts';

/** A tool as the rest of the code holds it: its facts, and its functions behind the check of their arguments. */
export interface Tool {
  readonly name: string;
  readonly facts: ToolFacts;
  /** Whether the tool can say what became of a call whose result was lost. */
  readonly hasLookup: boolean;
  /** Whether the tool can say what money a call moves. */
  readonly hasAmount: boolean;
  /** How long the other side knows an idempotency key; absent: for ever. */
  readonly keysKeptMs?: number;
  /** What the tool's own rules say of a call, before it runs. Never throws: a rule that does holds the call. */
  judge(args: JsonObject): Judgement;
  /** The call for the person who decides it. Never throws: what cannot be said is left out. */
  describe(args: JsonObject): { readonly summary?: string; readonly amount?: Money };
  /** Checks the arguments, defaults and transforms applied, and binds them. Never throws. */
  prepare(args: JsonObject): Promise<Prepared>;
}

export type Judgement =
  | { readonly ok: true; readonly key?: string; readonly needsApproval: boolean }
  | { readonly ok: false; readonly problem: string };

export type Prepared = { readonly ok: true; readonly call: PreparedCall } | { readonly ok: false; readonly problem: string };

/** A call with checked arguments, ready to run. Its functions may throw whatever the tool's author throws. */
export interface PreparedCall {
  run(context: ToolContext): unknown;
  lookup(context: ToolContext): Promise<{ readonly happened: boolean; readonly result?: unknown } | undefined>;
  emptyText(): string | undefined;
  errorText(error: unknown): string | undefined;
}

export function toolFacts(tool: Tool): ToolFacts {
  return tool.facts;
}
