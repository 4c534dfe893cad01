import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonObject } from '../core/json.ts';

export type Checked<Args> = { readonly ok: true; readonly args: Args } | { readonly ok: false; readonly problem: string };

/** More than these would only bury the first. */
const ISSUES_SHOWN = 8;

/** The arguments as the tool wants them, defaults and transforms applied, or what is wrong, field by field. */
export function checkArgs<Args>(input: StandardSchemaV1<unknown, Args>, args: JsonObject): Checked<Args> | Promise<Checked<Args>> {
  try {
    const result = input['~standard'].validate(args);
    return result instanceof Promise ? result.then(checked, broken) : checked(result);
  } catch (error) {
    return broken(error);
  }
}

function checked<Args>(result: StandardSchemaV1.Result<Args>): Checked<Args> {
  if (!result.issues) return { ok: true, args: result.value };
  const shown = result.issues.slice(0, ISSUES_SHOWN).map(({ path, message }) => {
    const field = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return field ? `${field}: ${message}` : message;
  });
  return { ok: false, problem: shown.join('; ') };
}

function broken(error: unknown): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem: `the arguments could not be checked: ${error instanceof Error ? error.message : String(error)}` };
}
