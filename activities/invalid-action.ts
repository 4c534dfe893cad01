import { wellFormed } from '../core/data-text.ts';
import type { InvalidAction, Problem } from '../core/transcript.ts';
import { sha256 } from './call-hash.ts';

/** Of what the model wrote, this much is kept to show it back: enough to correct it. */
const RAW_CHARS = 2_000;

/** An action that cannot run. Two that went wrong in the same way are the same for the guard against repeating. */
export function invalid(
  problem: Problem,
  { tool, text, raw }: { readonly tool?: string; readonly text: string; readonly raw: string },
): Omit<InvalidAction, 'id'> {
  return {
    kind: 'invalid',
    problem,
    ...(tool === undefined ? {} : { tool: wellFormed(tool.slice(0, RAW_CHARS)) }),
    raw: wellFormed(raw.slice(0, RAW_CHARS)),
    text: wellFormed(text),
    hash: sha256(`${problem}\n${tool ?? ''}\n${raw}`),
  };
}
