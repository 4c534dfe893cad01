/** The labels of a text reply. Only at the start of a line: a label in the middle of one is part of the prose. */
export type LabelKind = 'thought' | 'action' | 'input' | 'answer' | 'observation';

export interface Label {
  readonly kind: LabelKind;
  /** Start of the label's line. */
  readonly start: number;
  /** Where what is labelled begins. */
  readonly value: number;
  /** Bold that was opened before the label and not closed with it: `**Final Answer: 25**`. */
  readonly openBold: string;
}

/**
 * In any case, indented, numbered (`Action 3:`, as the ReAct paper's transcripts are), headed (`### Action`), bold
 * (`**Action:**`, `**Action**:`). Every part is bounded or can match in one way only, so it is linear in the line.
 */
const LABEL =
  /[ \t\u00a0]*(?:(#{1,6})[ \t]*)?(?:([*_]{1,3})[ \t]*)?(thoughts?|action(?:[ \t]*#?\d{1,4})?[ \t]+input|action|final[ \t]+answer|observations?)(?:[ \t]*#?\d{1,4})?[ \t]*([*_]{1,3})?[ \t]*([:\uff1a])?/iy;

/** Every label of the text, in order. Lines end with `\n`. */
export function labelsOf(text: string): readonly Label[] {
  const labels: Label[] = [];
  for (let start = 0; start <= text.length; start = lineEnd(text, start) + 1) {
    const label = labelAt(text, start);
    if (label) labels.push(label);
  }
  return labels;
}

function labelAt(text: string, start: number): Label | undefined {
  LABEL.lastIndex = start;
  const match = LABEL.exec(text);
  if (!match) return undefined;
  const [whole, heading, bold = '', words = '', boldEnd, colon] = match;
  const kind = kindOf(words);
  const end = start + whole.length;
  if (colon === undefined) {
    // Without a colon it is a label only as a heading or in bold, alone on its line.
    const isAlone = (heading !== undefined || boldEnd !== undefined) && isBlank(text.slice(end, lineEnd(text, end)));
    return isAlone ? { kind, start, value: end, openBold: '' } : undefined;
  }
  const isOpen = bold !== '' && boldEnd === undefined;
  const isClosedHere = isOpen && text.startsWith(bold, end);
  return { kind, start, value: isClosedHere ? end + bold.length : end, openBold: isOpen && !isClosedHere ? bold : '' };
}

function kindOf(words: string): LabelKind {
  const lower = words.toLowerCase();
  if (lower.startsWith('thought')) return 'thought';
  if (lower.startsWith('observation')) return 'observation';
  if (lower.startsWith('final')) return 'answer';
  return lower.endsWith('input') ? 'input' : 'action';
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Index of the line break that ends this line, or of the end of the text. */
export function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
}

/** Labelled text without blanks around it and without the end of the bold that its label opened. */
export function withoutOpenBold(text: string, openBold: string): string {
  const trimmed = text.trim();
  return openBold !== '' && trimmed.endsWith(openBold) ? trimmed.slice(0, -openBold.length).trim() : trimmed;
}
