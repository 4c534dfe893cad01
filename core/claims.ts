import type { ToolFacts } from './agent.ts';

/** Parts of tool names that say that something is done, not what. */
const PLAIN_VERBS = new Set(['issue', 'create', 'make', 'do', 'run', 'start', 'process', 'execute', 'submit', 'add', 'set', 'put', 'post', 'perform', 'apply']);
/** Words that turn what follows into a plan, a condition, a question or a denial. */
const NOT_DONE = /\b(?:should|would|could|can|cannot|can't|may|might|must|will|shall|to be|if|once|when|before|not|never|no|n't|please|please|needs?|recommend\w*|propos\w*|eligible|entitled|due|owed|pending)\b/i;
const DONE = String.raw`(?:has been|have been|was|were|is now|are now|i(?:'ve| have)?|we(?:'ve| have)?|successfully|already)`;
const MADE = String.raw`(?:issued|made|processed|completed|sent|paid|done|submitted|initiated|created|executed)`;

/** Claims in an answer that an effect of this tool has happened, each as the answer wrote it. */
export function claimsOf(answer: string, { name }: Pick<ToolFacts, 'name'>): readonly string[] {
  const words = nameWords(name);
  if (words.length === 0) return [];
  const done = words.map(pastForm).join('|');
  const thing = words.join('|');
  const patterns = [
    new RegExp(`\\b${DONE}\\s+(?:been\\s+)?(?:${done})\\b`, 'i'),
    new RegExp(`\\b(?:${thing})s?\\b[^.;!?\\n]{0,60}\\b(?:has been|have been|was|were|is)\\s+(?:successfully\\s+|now\\s+)?${MADE}\\b`, 'i'),
    new RegExp(`\\b(?:i|we)(?:'ve| have)?\\s+(?:successfully\\s+|already\\s+)?${MADE}\\b[^.;!?\\n]{0,40}\\b(?:${thing})\\b`, 'i'),
  ];
  return sentences(answer).flatMap((sentence) => {
    const claim = patterns.map((pattern) => pattern.exec(sentence)).find((match) => match !== null);
    return claim && !NOT_DONE.test(sentence.slice(0, claim.index + claim[0].length)) ? [claim[0]] : [];
  });
}

/** Bounded pieces, so that a megabyte without a full stop is still read in linear time. */
function sentences(text: string): readonly string[] {
  return text.split(/(?<=[.;!?])\s+|\n/).flatMap((sentence) => sentence.match(/[\s\S]{1,1000}/g) ?? []);
}

function nameWords(name: string): readonly string[] {
  return name.toLowerCase().split(/[^a-z]+/).filter((word) => word.length > 2 && !PLAIN_VERBS.has(word));
}

const IRREGULAR: Readonly<Record<string, string>> = { pay: 'paid', payment: 'paid', send: 'sent', cancel: 'cancell?ed', write: 'written', give: 'given', transfer: 'transferred' };

function pastForm(word: string): string {
  if (Object.hasOwn(IRREGULAR, word)) return IRREGULAR[word] ?? word;
  return word.endsWith('e') ? `${word}d` : `${word}ed`;
}
