import { cpuUsage } from 'node:process';
import { readFunctionReply } from '../core/function-form.ts';
import { readJson } from '../core/json-reader.ts';
import type { ModelReply } from '../core/reply.ts';
import { readTextReply } from '../core/text-form.ts';

/**
 * Is the reply path linear? Each kind of hostile text is read at 100 kB and at 1 MB; ten times the text may take at most
 * twelve times as long. Exit code 1 when one does not.
 */
const SMALL = 100_000;
const LARGE = 1_000_000;
const RATIO_MAX = 12;
/** Rounds of a first look, and of a second one where that came near the limit: a garbage collection may have been in the way. */
const ROUNDS = 3;
const MORE_ROUNDS = 11;
const NEAR = 9;
/** Below this for a megabyte a reader has only copied it, and what is measured is whether it fits the processor's cache. */
const LEAST_MS = 5;

const TOOLS = [
  { name: 'get_order', effect: 'read', schema: { type: 'object', required: ['id'] } },
  { name: 'refund', effect: 'once', schema: { type: 'object', required: ['id'] } },
] as const;

function reply(facts: Partial<ModelReply>): ModelReply {
  return { text: '', calls: [], finish: 'stop', model: 'bench', dropped: [], ...facts };
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'text reply': (text) => readTextReply(reply({ text }), TOOLS),
  'text input': (text) => readTextReply(reply({ text: `Thought: x\nAction: get_order\nAction Input: ${text}` }), TOOLS),
  'text brackets': (text) => readTextReply(reply({ text: `Thought: x\nAction: get_order[${text}` }), TOOLS),
  'function content': (text) => readFunctionReply(reply({ text }), TOOLS),
  'function arguments': (text) => readFunctionReply(reply({ calls: [{ name: 'get_order', argumentsText: text }] }), TOOLS),
  json: (text) => readJson(text, 0, { repair: true }),
};

const UNITS: Readonly<Record<string, string>> = {
  prose: 'The order came late. ', 'line breaks': '\n', blanks: ' ', braces: '{', brackets: '[', 'closed brackets': '[]', quotes: '"',
  'single quotes': "'", backslashes: '\\', fences: '```json\n', labels: 'Action:\n', 'bold labels': '**Action 3:** x[1]\n', observations: 'Thought\n',
  'opening tags': '<think>', 'closing tags': '</think>\n', 'tool tags': '<tool_call>\n', 'half tokens': '<|', 'end tokens': '</s>',
  'broken lists': '[1,\n', 'broken objects': '{"a":', 'quoted lists': "['a\n", surrogates: '\ud83d', 'long numbers': '9', 'quoted words': '"a" ',
};

function repeated(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length));
}

/** Milliseconds of processor time for reading a text so many times over: other processes do not count in it. */
function timed(read: (text: string) => unknown, text: string, times: number): number {
  const start = cpuUsage();
  for (let i = 0; i < times; i += 1) read(text);
  const { user, system } = cpuUsage(start);
  return (user + system) / 1_000;
}

interface Row {
  readonly unit: string;
  readonly small: number;
  readonly large: number;
  readonly ratio: number;
}

/** The small text is read ten times for each reading of the large one, in turn, so that both share the machine's moods. */
function compared(read: (text: string) => unknown, unit: string, sign: string): Row {
  const times = LARGE / SMALL;
  const [small, large] = [repeated(sign, SMALL), repeated(sign, LARGE)];
  if (timed(read, large, 1) < LEAST_MS) return { unit, small: 0, large: 0, ratio: 0 };
  const look = (rounds: number): Row => {
    const pairs = Array.from({ length: rounds }, () => [timed(read, small, times) / times, timed(read, large, 1)] as const);
    const middle = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
    const ratio = middle(pairs.map(([one, ten]) => ten / one));
    return { unit, small: middle(pairs.map(([one]) => one)), large: middle(pairs.map(([, ten]) => ten)), ratio };
  };
  const first = look(ROUNDS);
  return first.ratio < NEAR ? first : look(MORE_ROUNDS);
}

/** The worst text for a reader. */
function worst(read: (text: string) => unknown): Row {
  const rows = Object.entries(UNITS).map(([unit, sign]) => compared(read, unit, sign));
  return rows.reduce((most, row) => (row.ratio > most.ratio ? row : most));
}

console.log(`reader              worst text         100 kB        1 MB   ratio (at most ${RATIO_MAX})`);
for (const [name, read] of Object.entries(READERS)) {
  const { unit, small, large, ratio } = worst(read);
  console.log(`${name.padEnd(20)}${unit.padEnd(17)}${small.toFixed(3).padStart(8)} ms${large.toFixed(3).padStart(9)} ms${ratio.toFixed(1).padStart(8)}`);
  if (ratio > RATIO_MAX) process.exitCode = 1;
}
