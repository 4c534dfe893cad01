import type { ToolFacts } from '../core/agent.ts';
import type { JsonObject } from '../core/json.ts';
import type { Money } from '../core/money.ts';
import { checkArgs } from './check-args.ts';
import type { ToolDefinition } from './define-tool.ts';
import { moneyOf } from './money-text.ts';
import type { Judgement, PreparedCall, Tool } from './tool.ts';

/**
 * Puts the functions of a definition behind the check of their arguments: from here on nobody can call them with
 * arguments that their schema did not pass, and the type of the arguments is known to the definition alone.
 */
export function bindTool<Args>(definition: ToolDefinition<Args>, facts: ToolFacts): Pick<Tool, 'judge' | 'describe' | 'prepare'> {
  return {
    judge: (args) => judge(definition, facts, args),
    describe: (args) => describe(definition, args),
    prepare: async (args) => {
      const checked = await checkArgs(definition.input, args);
      return checked.ok ? { ok: true, call: bound(definition, checked.args) } : checked;
    },
  };
}

function judge<Args>(definition: ToolDefinition<Args>, facts: ToolFacts, raw: JsonObject): Judgement {
  const checked = checkArgs(definition.input, raw);
  // A schema that has to wait cannot be asked here; the call is held, and checked again when it runs.
  if (checked instanceof Promise) {
    if (definition.key) return { ok: false, problem: `the input schema of ${facts.name} must check without waiting, since its key needs the result` };
    return { ok: true, needsApproval: facts.approval !== 'never' };
  }
  if (!checked.ok) return checked;
  const key = keyOf(definition, checked.args);
  return key.ok ? { ok: true, ...(key.key === undefined ? {} : { key: key.key }), needsApproval: isHeld(definition, facts, checked.args) } : key;
}

/** An amount that cannot be read is none, and a limit in money is then never kept: such a call needs whoever has no limit. */
function describe<Args>(definition: ToolDefinition<Args>, raw: JsonObject): { readonly summary?: string; readonly amount?: Money } {
  const checked = checkArgs(definition.input, raw);
  if (checked instanceof Promise || !checked.ok) return {};
  const summary = told(() => definition.summary?.(checked.args));
  const amount = told(() => definition.amount?.(checked.args));
  const money = amount === undefined ? undefined : moneyOf(amount);
  return { ...(summary === undefined ? {} : { summary }), ...(money ? { amount: money } : {}) };
}

function told(say: () => unknown): string | undefined {
  try {
    const text = say();
    return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A rule that throws has not said that the call may run. */
function isHeld<Args>({ needsApproval }: ToolDefinition<Args>, { approval }: ToolFacts, args: Args): boolean {
  if (typeof needsApproval !== 'function') return approval === 'always';
  try {
    return needsApproval(args) !== false;
  } catch {
    return true;
  }
}

type Key = { readonly ok: true; readonly key?: string } | { readonly ok: false; readonly problem: string };

/** Without its key an effect could happen twice, so a call that has none does not run. */
function keyOf<Args>({ name, key }: ToolDefinition<Args>, args: Args): Key {
  if (!key) return { ok: true };
  try {
    const text: unknown = key(args);
    if (typeof text === 'string' && text !== '') return { ok: true, key: text };
    return { ok: false, problem: `${name} cannot tell which business case these arguments mean` };
  } catch (error) {
    return { ok: false, problem: `${name} cannot tell which business case these arguments mean: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function bound<Args>(definition: ToolDefinition<Args>, args: Args): PreparedCall {
  return {
    run: (context) => definition.run(args, context),
    lookup: async (context) => definition.lookup?.(args, context),
    emptyText: () => definition.emptyText?.(args),
    errorText: (error) => definition.errorText?.(error, args),
  };
}
