import { DATA_MARK } from '../../core/data-text.ts';

/** A text without the marks in front of its lines. */
export function unmarked(text: string): string {
  return text.split('\n').map((line) => (line.startsWith(DATA_MARK) ? line.slice(DATA_MARK.length) : line)).join('\n');
}

/** The marked lines behind each line that starts with `heading`, one text each, in order. */
export function dataAfter(text: string, heading: string): readonly string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    if (!line.startsWith(heading)) return [];
    const rest = lines.slice(i + 1);
    const end = rest.findIndex((next) => !next.startsWith(DATA_MARK));
    const data = end < 0 ? rest : rest.slice(0, end);
    return data.length > 0 ? [unmarked(data.join('\n'))] : [];
  });
}
