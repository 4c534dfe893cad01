/** What a task about orders asks for. */
export interface OrderQuestion {
  readonly ids: readonly string[];
  /** `refund`: what is owed; `facts`: what the record says; `policy`: what the rules say, of no order in particular. */
  readonly about: 'refund' | 'facts' | 'policy';
  /** Someone asked for the refund to be paid, not only what it is. */
  readonly pays: boolean;
}

const ABOUT_ORDERS = /\border(?:s|ed)?\b|\brefund|\bdeliver|\breceipt\b|\bparcel\b|\bcancel/i;
const ABOUT_MONEY = /refund|owe|compensat|reimburs|entitled|money back|pa(?:y|id) back|\bdue\b|get back|what about/i;
const ABOUT_FACTS = /\bhow late\b|\bwas it late\b|\blate\b|\bwhen\b|\bstatus\b|\bwhere\b|\barriv|\btrack|\bcost\b|\bprice\b|\bfee\b|\bdelivered\b/i;

/** `undefined` when the task is about something else. */
export function orderQuestion(goal: string, persons: readonly string[]): OrderQuestion | undefined {
  const said = [goal, ...persons].join('\n');
  if (!ABOUT_ORDERS.test(said)) return undefined;
  const ids = orderIds(said);
  const isPolicy = ids.length === 0 && /\bpolicy\b|\brules?\b/i.test(goal);
  const isFacts = ABOUT_FACTS.test(goal) && !ABOUT_MONEY.test(goal);
  return { ids, about: isPolicy ? 'policy' : isFacts ? 'facts' : 'refund', pays: goal.split(/(?<=[.!?\n])/).some(asksToPay) };
}

/** Numbers that can be an order's: behind the word, or four digits and more that are no amount, year, time or part of a word. */
function orderIds(text: string): readonly string[] {
  const named = [...text.matchAll(/\border(?:s)?\s{0,3}(?:id|number|no\.?|nr\.?)?\s{0,3}[:#]?\s{0,3}([A-Z]{0,4}-?\d{2,12})\b/gi)];
  const plain = [...text.matchAll(/(?<![\w₹$€£.,:/-]|[₹$€£] )#?([A-Z]{0,4}-?\d{4,12})(?![\w:/-]|[.,]\d)/g)];
  return [...new Set([...named, ...plain].map(([, id = '']) => id))].slice(0, 8);
}

/** "Refund order 88213", "please issue the refund"; a question is none, unless it asks somebody to do it. */
function asksToPay(sentence: string): boolean {
  const isQuestion = sentence.trim().endsWith('?') && !/^\s*(?:can|could|would|will|please)\b[^?]{0,20}\byou\b|^\s*please\b/i.test(sentence);
  if (isQuestion) return false;
  return /\b(?:issue|pay|process|make|send|give|initiate)\b[^.?!]*\b(?:refund|back|money)/i.test(sentence) ||
    /(?:^\s*|\bplease\s|\bthen\s|\band\s|,\s|\byou\s)(?:refund|reimburse)\b/i.test(sentence);
}
