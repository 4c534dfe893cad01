/** What a policy text says of late deliveries. */
export interface LateRule {
  /** Something is refunded above so many minutes. */
  readonly overMinutes: number;
  readonly refunds: 'fee' | 'price' | 'both';
  /** The sentence that says so. */
  readonly sentence: string;
}

export function sentences(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}

/** The first sentence that refunds something above a number of minutes. */
export function lateRule(policy: string): LateRule | undefined {
  for (const sentence of sentences(policy)) {
    const [, minutes, unit = ''] = /(?:more|later|longer) than (\d{1,5}) ?(minutes?|min\b|hours?)/i.exec(sentence) ?? [];
    if (minutes === undefined || !/refund|paid back|given back|back to/i.test(sentence)) continue;
    const [fee, price] = [/\bfee\b/i.test(sentence), /\bprice\b|\bfull amount\b|\border value\b/i.test(sentence)];
    if (!fee && !price) continue;
    const overMinutes = Number(minutes) * (unit.toLowerCase().startsWith('hour') ? 60 : 1);
    return { overMinutes, refunds: fee && price ? 'both' : fee ? 'fee' : 'price', sentence };
  }
  return undefined;
}

/** The sentences that speak of an order in this state. */
export function rulesFor(policy: string, status: string): string {
  const word = statusWord(status);
  const about = sentences(policy).filter((sentence) => new RegExp(`\\b${word}|nothing`, 'i').test(sentence));
  return (about.length > 0 ? about : sentences(policy)).slice(0, 2).join(' ');
}

/** Whether a policy speaks of orders in this state at all. */
export function speaksOf(policy: string, status: string): boolean {
  return new RegExp(`\\b${statusWord(status)}`, 'i').test(policy);
}

/** The stem by which tools and policies name a state. */
export function statusWord(status: string): string {
  if (/cancel/.test(status)) return 'cancel';
  if (/transit|way|shipped|dispatched|pending|prepar/.test(status)) return 'transit';
  if (/deliver/.test(status)) return 'deliver';
  return /[a-z]+/.exec(status)?.[0] ?? 'order';
}
