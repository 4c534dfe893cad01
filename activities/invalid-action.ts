import { cutText, wellFormed } from '../core/data-text.ts';
import type { InvalidAction, Problem } from '../core/transcript.ts';
import { sha256 } from './call-hash.ts';

/** Of what the model wrote, this much is kept to show it back: enough to correct it. */
const RAW_CHARS = 2_000;
const TOOL_CHARS = 200;
/** A schema can be long; what is wrong stands at the beginning. */
const TEXT_CHARS = 4_000;

interface Wrong {
  readonly tool?: string;
  /** What the model is told: what was wrong, and what to do instead. */
  readonly text: string;
  readonly raw: string;
  /** What makes it the same mistake again; default: what the model wrote, white space aside. */
  readonly identity?: string;
}

/** An action that cannot run. Two that went wrong in the same way are the same for the guard against repeating. */
export function invalid(problem: Problem, { tool, text, raw, identity }: Wrong): Omit<InvalidAction, 'id'> {
  return {
    kind: 'invalid',
    problem,
    ...(tool === undefined ? {} : { tool: wellFormed(cutText(tool, TOOL_CHARS)) }),
    raw: wellFormed(cutText(raw, RAW_CHARS)),
    text: wellFormed(cutText(text, TEXT_CHARS)),
    hash: sha256(`${problem}\n${tool ?? ''}\n${identity ?? raw.trim().replace(/\s+/g, ' ')}`),
  };
}
