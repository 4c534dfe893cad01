import { labelsOf } from './text-labels.ts';

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
 * an argument may well speak of `<think>`.
 */
export function setAsideReasoning(text: string): SetAside {
  if (text.search(TAG) === -1) return { text, isUnclosed: false };
  const starts = labelsOf(text).filter(({ kind }) => kind === 'action' || kind === 'answer').map(({ start }) => start);
  const scan: Scan = { text, kept: [], from: 0, open: undefined, openedLater: 0, decisions: starts[Symbol.iterator](), decision: -1 };
  for (const tag of tagsOf(text)) {
    if (scan.open) closeBlock(scan, tag);
    else takeTag(scan, tag);
  }
  const rest = scan.open ? '' : text.slice(scan.from);
  return { text: [...scan.kept, rest].join(''), isUnclosed: scan.open !== undefined };
}

interface Scan {
  readonly text: string;
  /** Text outside of blocks so far. */
  kept: string[];
  /** Where the text begins that is not yet in `kept`. */
  from: number;
  open: Tag | undefined;
  /** Opening tags inside an action or answer, which closing tags there belong to. */
  openedLater: number;
  readonly decisions: Iterator<number, undefined>;
  /** The first action or answer from `from` on, once it was looked for; Infinity when there is none. */
  decision: number;
}

function closeBlock(scan: Scan, tag: Tag): void {
  if (!tag.closes || tag.name !== scan.open?.name) return;
  scan.from = tag.end;
  scan.open = undefined;
}

function takeTag(scan: Scan, tag: Tag): void {
  const isInDecision = decisionFrom(scan) < tag.start;
  if (!tag.closes && isInDecision) scan.openedLater += 1;
  else if (!tag.closes) {
    scan.kept.push(scan.text.slice(scan.from, tag.start));
    scan.open = tag;
  } else if (scan.openedLater > 0) scan.openedLater -= 1;
  else if (isCleanEnd(scan.text, tag)) {
    scan.kept = [];
    scan.from = tag.end;
  }
}

function decisionFrom(scan: Scan): number {
  while (scan.decision < scan.from) scan.decision = nextOf(scan.decisions);
  return scan.decision;
}

function nextOf(numbers: Iterator<number, undefined>): number {
  const next = numbers.next();
  return next.done === true ? Infinity : next.value;
}

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly start: number;
  readonly end: number;
}

/** One at a time: a hostile text may hold a hundred thousand. */
function* tagsOf(text: string): Generator<Tag> {
  for (const match of text.matchAll(TAG)) {
    const [whole, slash, name, bracketSlash, bracketName] = match;
    yield {
      name: (name ?? bracketName ?? '').toLowerCase(),
      closes: (slash ?? bracketSlash) === '/',
      start: match.index,
      end: match.index + whole.length,
    };
  }
}

function isCleanEnd(text: string, { start, end }: Tag): boolean {
  CLEAN_END.lastIndex = end;
  return CLEAN_END.test(text) || start === 0 || text.charAt(start - 1) === '\n';
}
