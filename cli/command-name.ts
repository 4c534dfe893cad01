/** Run from a checkout (the sources, through tsx) or installed. */
export const FROM_SOURCE = import.meta.url.endsWith('.ts');

const NAME = FROM_SOURCE ? 'npm run -s caseworker --' : 'caseworker';

/** Options that every command printed from now on needs, to work as printed. */
let standing: readonly string[] = [];

export function setStandingOptions(options: readonly string[]): void {
  standing = options;
}

/** A command line that a person can copy: `command('trace', id)`. */
export function command(...words: readonly string[]): string {
  return [NAME, ...[...words, ...standing].map(quoted)].join(' ');
}

/** The same for a text that starts with the plain command, as runs write it. */
export function commandText(text: string): string {
  if (!text.startsWith('caseworker ')) return text;
  const options = standing.length > 0 ? ` ${standing.map(quoted).join(' ')}` : '';
  return `${NAME} ${text.slice('caseworker '.length)}${options}`;
}

function quoted(word: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) return word;
  // A hint with a gap for the person to fill reads better in double quotes; anything that a shell would read, in single ones.
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
