/**
 * Text that models, tools and persons wrote, made harmless for a terminal: escape sequences and control characters are
 * shown as signs, so that a tool's result can neither colour the screen nor move the cursor over what was printed.
 */
export function plainText(text: string): string {
  return Buffer.from(text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/\t/g, '  '))
    .toString()
    .replace(CONTROLS, (sign) => {
      const code = sign.charCodeAt(0);
      if (code < 0x20) return String.fromCharCode(0x2400 + code);
      return code === 0x7f ? '\u2421' : '\ufffd';
    });
}

// Bidirectional overrides can make a text read as something else than it is (https://trojansource.codes).
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** One line, white space folded, cut to `max` characters. */
export function oneLine(text: string, max: number): string {
  const flat = plainText(text.slice(0, max * 4))
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...flat];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : flat;
}

/** Lines of at most `width` characters, broken at spaces where there are any; line breaks of the text are kept. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const text = line.trimEnd();
  const margin = ' '.repeat(Math.min(text.length - text.trimStart().length, Math.floor(width / 2)));
  const lines: string[] = [];
  let current = margin;
  let length = margin.length;
  for (const { piece, isRest } of text
    .trimStart()
    .split(' ')
    .flatMap((word) => pieces(word, width - margin.length))) {
    const size = [...piece].length;
    const gap = length > margin.length ? 1 : 0;
    if (isRest || length + gap + size > width) {
      lines.push(current);
      current = margin + piece;
      length = margin.length + size;
    } else {
      current += ' '.repeat(gap) + piece;
      length += gap + size;
    }
  }
  return [...lines, current];
}

interface Piece {
  readonly piece: string;
  /** It belongs to the word before it: no space may come between the two. */
  readonly isRest: boolean;
}

/** A word that no line can hold, in parts; JSON without spaces is broken after its commas. */
function pieces(word: string, width: number): readonly Piece[] {
  if (word.length <= width) return [{ piece: word, isRest: false }];
  const characters = [...word];
  const parts: Piece[] = [];
  for (let at = 0; at < characters.length;) {
    const part = characters.slice(at, at + width);
    const comma = at + width < characters.length ? part.lastIndexOf(',') : -1;
    const kept = comma > width / 3 ? part.slice(0, comma + 1) : part;
    parts.push({ piece: kept.join(''), isRest: at > 0 });
    at += kept.length;
  }
  return parts;
}

/** Text after a label: further lines stand under the first, `indent` columns in. */
export function labelled(
  label: string,
  text: string,
  { indent, width }: { readonly indent: number; readonly width: number },
): readonly string[] {
  const lines = wrap(text, Math.max(20, width - indent));
  return lines.map((line, i) => `${i === 0 ? label.padEnd(indent) : ' '.repeat(indent)}${line}`.trimEnd());
}
