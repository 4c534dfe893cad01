/** The words by which a text says that a tool's effect has happened; alternatives of a regular expression. */
export interface EffectWords {
  /** Past forms that say it alone: `refunded`, `paid`. Empty where they would be said of anything (`sent`). */
  readonly done: string;
  /** Past forms that say it of one of the things: `sent`, `created`. */
  readonly doneToThing: string;
  /** What it is done to or makes: `refund`, `order`, `ticket`. */
  readonly things: string;
}

/** Verbs of tool names that say that something is made, not what: `issue_refund`. */
const MAKING = new Set([
  'issue', 'create', 'make', 'do', 'run', 'start', 'process', 'execute', 'submit', 'perform', 'apply', 'initiate', 'trigger', 'new',
  'add', 'place', 'put', 'record', 'register', 'file', 'raise', 'open', 'request', 'handle',
]);
/** What is said of a thing that was made. */
const MADE = ['issued', 'made', 'processed', 'completed', 'sent', 'paid', 'done', 'submitted', 'initiated', 'created', 'executed', 'transferred', 'credited', 'triggered', 'placed', 'added', 'recorded', 'filed', 'raised', 'opened', 'registered'];
/** Verbs that are said of so many things that only their thing tells which tool is meant. */
const PLAIN = new Set([
  'send', 'update', 'set', 'post', 'write', 'save', 'change', 'edit', 'move', 'close', 'delete', 'remove', 'assign', 'notify', 'email',
  'mail', 'message', 'call', 'mark', 'upload', 'store', 'publish', 'sync', 'push', 'give', 'get', 'use', 'schedule', 'approve', 'order', 'report',
]);
/** Effects that have a noun: its verb, and the past form that says by itself that it happened. */
const DEEDS: readonly { readonly noun: string; readonly verb: string; readonly past: string }[] = [
  { noun: 'refund', verb: 'refund', past: 'refunded|reimbursed|credited' },
  { noun: 'payment', verb: 'pay', past: 'paid' },
  { noun: 'payout', verb: 'payout', past: 'paid out' },
  { noun: 'reimbursement', verb: 'reimburse', past: 'reimbursed' },
  { noun: 'transfer', verb: 'transfer', past: 'transferred' },
  { noun: 'cancellation', verb: 'cancel', past: 'cancell?ed' },
  { noun: 'booking', verb: 'book', past: 'booked' },
  { noun: 'reservation', verb: 'reserve', past: 'reserved' },
  { noun: 'charge', verb: 'charge', past: 'charged' },
  { noun: 'credit', verb: 'credit', past: 'credited' },
  { noun: 'shipment', verb: 'ship', past: 'shipped' },
  { noun: 'replacement', verb: 'replace', past: 'replaced' },
];
const IRREGULAR: Readonly<Record<string, string>> = {
  update: 'updated|changed', change: 'changed|updated', edit: 'edited|changed', delete: 'deleted|removed', remove: 'removed|deleted',
  send: 'sent', write: 'written|wrote', give: 'given|gave', put: 'put', set: 'set', sell: 'sold', buy: 'bought', withdraw: 'withdrawn|withdrew',
  hold: 'held', take: 'taken|took', stop: 'stopped', refer: 'referred', drop: 'dropped', swap: 'swapped', get: 'got', reset: 'reset', plan: 'planned',
};
/** Parts of names that are neither deed nor thing. */
const SMALL = new Set(['the', 'for', 'and', 'with', 'from', 'into', 'to', 'all', 'via', 'tool', 'api']);
const NO_WORDS: EffectWords = { done: '', doneToThing: '', things: '' };

/** Read from the name, as the model and a person read it: `issue_refund`, `cancelOrder`, `payments.send`. */
export function effectWords(toolName: string): EffectWords {
  const [verb, ...rest] = nameWords(toolName);
  if (verb === undefined) return NO_WORDS;
  const isMaking = MAKING.has(verb);
  const deed = isMaking || verb === 'send' ? deedOf(rest.at(-1)) : PLAIN.has(verb) ? undefined : deedOf(verb);
  if (deed) {
    const past = isMaking || deed.verb === verb || deed.noun === verb ? [] : [pastForm(verb)];
    return { done: deed.past, doneToThing: alternatives([...MADE, ...past]), things: thingsOf([deed.noun]) };
  }
  if (isMaking) return { done: '', doneToThing: alternatives([...MADE, pastForm(verb)]), things: thingsOf(rest) };
  if (PLAIN.has(verb)) return { done: '', doneToThing: pastForm(verb), things: thingsOf(rest) };
  return { done: pastForm(verb), doneToThing: '', things: '' };
}

/** The verb first: `payments.send` is turned round. */
function nameWords(name: string): readonly string[] {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const words = spaced.split(/[^a-z]+/).filter((word) => word.length > 1 && !SMALL.has(word));
  const last = words.at(-1);
  return last !== undefined && isVerb(last) && !isVerb(words[0] ?? '') ? [last, ...words.slice(0, -1)] : words;
}

function isVerb(word: string): boolean {
  return MAKING.has(word) || PLAIN.has(word) || Object.hasOwn(IRREGULAR, word) || DEEDS.some(({ verb }) => verb === word);
}

function deedOf(word: string | undefined): (typeof DEEDS)[number] | undefined {
  return DEEDS.find(({ noun, verb }) => word === noun || word === `${noun}s` || word === verb);
}

function pastForm(verb: string): string {
  if (Object.hasOwn(IRREGULAR, verb)) return IRREGULAR[verb] ?? verb;
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
}

function thingsOf(words: readonly string[]): string {
  return alternatives(words.map((word) => (word === 'email' ? 'e-?mails?' : `${word.replace(/s$/, '')}(?:e?s)?`)));
}

function alternatives(words: readonly string[]): string {
  return [...new Set(words)].join('|');
}
