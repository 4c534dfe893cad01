import type { Label } from './text-labels.ts';

/** A reply without the model's reasoning blocks. */
export interface SetAside {
  readonly text: string;
  /** The reply ended inside a block: a turn that was cut, with nothing in it that may be read. */
  readonly isUnclosed: boolean;
}

/** Qwen, DeepSeek and others write <think>; Magistral [THINK]. A quoted tag is none. */
const TAG = /(?<!["'`])(?:<(\/?)(think|thinking|reasoning)[ \t]*>|\[(\/?)(think)\])/gi;
/** Behind the closing tag of a block whose opening tag a chat template took: the end of the line, or a label. */
const CLEAN_END = /[ \t]*(?:\n|$|(?:[#*_]{1,6}[ \t]*)?(?:thought|action|final[ \t]+answer)\b)/iy;

/**
 * Takes out `<think>`, `<thinking>` and `<reasoning>` blocks: drafts in them are no actions. Everything before a closing
 * tag that nothing opened is reasoning too. Once an action or answer has begun, an opening tag is a part of its text:
 * an argument may well speak of `<think>`. `labels` are those of `text`.
 */
export function setAsideReasoning(text: string, labels: readonly Label[]): SetAside {
  const decisions = labels.filter(({ kind }) => kind === 'action' || kind === 'answer').map(({ start }) => start);
  let kept: string[] = [];
  let from = 0;
  let open: { readonly name: string; readonly end: number } | undefined;
  let openedLater = 0;
  let nextDecision = 0;
  for (const tag of tagsOf(text)) {
    if (open) {
      if (!tag.closes || tag.name !== open.name) continue;
      from = tag.end;
      open = undefined;
      while ((decisions[nextDecision] ?? Infinity) < from) nextDecision += 1;
      continue;
    }
    const hasDecided = (decisions[nextDecision] ?? Infinity) < tag.start;
    if (!tag.closes && !hasDecided) {
      kept.push(text.slice(from, tag.start));
      open = tag;
    } else if (!tag.closes) openedLater += 1;
    else if (openedLater > 0) openedLater -= 1;
    else if (isCleanEnd(text, tag)) {
      kept = [];
      from = tag.end;
      while ((decisions[nextDecision] ?? Infinity) < from) nextDecision += 1;
    }
  }
  if (open) return { text: kept.join(''), isUnclosed: true };
  return { text: [...kept, text.slice(from)].join(''), isUnclosed: false };
}

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly start: number;
  readonly end: number;
}

function tagsOf(text: string): readonly Tag[] {
  return [...text.matchAll(TAG)].map((match) => {
    const [whole, slash, name, bracketSlash, bracketName] = match;
    return {
      name: (name ?? bracketName ?? '').toLowerCase(),
      closes: (slash ?? bracketSlash) === '/',
      start: match.index,
      end: match.index + whole.length,
    };
  });
}

function isCleanEnd(text: string, { start, end }: Tag): boolean {
  CLEAN_END.lastIndex = end;
  return CLEAN_END.test(text) || start === 0 || text.charAt(start - 1) === '\n';
}
