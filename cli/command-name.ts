/** Run from a checkout (the sources, through tsx) or installed. */
export const FROM_SOURCE = import.meta.url.endsWith('.ts');

const NAME = FROM_SOURCE ? 'npm run -s caseworker --' : 'caseworker';

/** Commands that only look: they start no worker, and so need no agents. */
const LOOKING: readonly string[] = ['start', 'list', 'show', 'trace', 'effects', 'inbox', '--help'];

let agentsModule: string | undefined;

/** The agents that were named with an option: the commands that are printed from now on name them too, to work as printed. */
export function keepAgents(path: string): void {
  agentsModule = path;
}

/** A command line that a person can copy: `command('trace', id)`. */
export function command(...words: readonly string[]): string {
  return [NAME, ...words.map(quoted), ...agentsOf(words[0])].join(' ');
}

/** The same for a text that starts with the plain command, as runs write it. */
export function commandText(text: string): string {
  if (!text.startsWith('caseworker ')) return text;
  const rest = text.slice('caseworker '.length);
  return [NAME, rest, ...agentsOf(rest.split(' ', 1)[0])].join(' ');
}

function agentsOf(name: string | undefined): readonly string[] {
  return agentsModule === undefined || name === undefined || LOOKING.includes(name) ? [] : ['--agents', quoted(agentsModule)];
}

function quoted(word: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) return word;
  // Double quotes read better; a word with a sign that a shell would act on inside them gets single ones.
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
