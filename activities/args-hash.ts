import { canonicalJson } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { sha256 } from './call-hash.ts';

/**
 * What a person's decision is bound to: this run, this call, this tool and exactly these arguments. Unlike a call's
 * identity it forgives nothing: a space more is another thing than what was shown.
 */
export function argsHash(bound: { readonly firstRunId: string; readonly call: string; readonly tool: string; readonly args: JsonObject }): string {
  const { firstRunId, call, tool, args } = bound;
  return sha256(canonicalJson({ firstRunId, call, tool, args }));
}
