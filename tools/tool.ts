import type { ToolFacts } from '../core/agent.ts';
import type { JsonObject } from '../core/json.ts';
import type { ToolContext } from './define-tool.ts';

/** A tool as the rest of the code holds it: its facts, and its functions behind the check of their arguments. */
export interface Tool {
  readonly name: string;
  readonly facts: ToolFacts;
  /** Whether the tool can say what became of a call whose result was lost. */
  readonly hasLookup: boolean;
  /** What the tool's own rules say of a call, before it runs. Never throws: a rule that does holds the call. */
  judge(args: JsonObject): Judgement;
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
