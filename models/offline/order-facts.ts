/** What the rules need to know of an order; absent where the record does not say it. */
export interface OrderFacts {
  readonly status: string;
  readonly promised?: Moment;
  readonly delivered?: Moment;
  readonly price?: string;
  readonly fee?: string;
}

export interface Moment {
  /** Days since the epoch; 0 where there is only a time. */
  readonly day: number;
  readonly hours: number;
  readonly minutes: number;
  /** `19:02` */
  readonly text: string;
}

/** Reads a record of an order, whole or cut, as JSON or as `key: value` lines. */
export function orderFacts(record: string): OrderFacts {
  const promised = moment(field(record, ['promised_at', 'promised', 'promised_time']));
  const delivered = moment(field(record, ['delivered_at', 'delivered', 'delivered_time']));
  const price = amount(field(record, ['price', 'total', 'order_price']));
  const fee = amount(field(record, ['delivery_fee', 'fee', 'deliveryFee']));
  return {
    status: field(record, ['status', 'state']).toLowerCase().replaceAll('_', ' '),
    ...(promised ? { promised } : {}),
    ...(delivered ? { delivered } : {}),
    ...(price === undefined ? {} : { price }),
    ...(fee === undefined ? {} : { fee }),
  };
}

/** Whether a record, perhaps cut, holds what a decision needs. */
export function hasFacts(record: string): boolean {
  const { status, promised, delivered, fee } = orderFacts(record);
  return status !== '' && (status !== 'delivered' || Boolean(promised && delivered && fee !== undefined));
}

function field(record: string, names: readonly string[]): string {
  for (const name of names) {
    const [, text, plain] = new RegExp(`"?\\b${name}"?[ \\t]{0,4}[:=][ \\t]{0,4}(?:"([^"\\n]{0,200})"|([^",}\\n]{1,200}))`).exec(record) ?? [];
    const value = (text ?? plain ?? '').trim();
    if (value !== '' && value !== 'null') return value;
  }
  return '';
}

function moment(text: string): Moment | undefined {
  const match = /(?:(\d{4}-\d{2}-\d{2})[T ])?(\d{1,2}):(\d{2})/.exec(text);
  if (!match) return undefined;
  const [, date, hours = '', minutes = ''] = match;
  const day = date === undefined ? 0 : Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000);
  return { day, hours: Number(hours), minutes: Number(minutes), text: `${hours}:${minutes}` };
}

/** The plain number of `₹1,240` or `1240`. */
function amount(text: string): string | undefined {
  return /\d[\d,]*(?:\.\d+)?/.exec(text)?.[0].replaceAll(',', '');
}

export function isAfter(a: Moment, b: Moment): boolean {
  return minuteOf(a) > minuteOf(b);
}

function minuteOf({ day, hours, minutes }: Moment): number {
  return (day * 24 + hours) * 60 + minutes;
}

/** The minutes from one to the other as arithmetic: 18:00 → 19:02 is `(19*60 + 2) - (18*60 + 0)`. */
export function minutesBetween(from: Moment, to: Moment): string {
  const days = to.day - from.day;
  const later = `(${days === 0 ? '' : `${days}*1440 + `}${to.hours}*60 + ${to.minutes})`;
  return `${later} - (${from.hours}*60 + ${from.minutes})`;
}

/** The same as a number, for where there is no calculator. */
export function minutesFrom(from: Moment, to: Moment): number {
  return minuteOf(to) - minuteOf(from);
}
