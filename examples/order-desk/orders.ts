/** A page of made-up orders. Times are local, amounts in rupees. */
export interface Order {
  readonly order_id: string;
  readonly status: 'delivered' | 'in_transit' | 'cancelled';
  readonly promised_at: string;
  readonly delivered_at?: string;
  readonly price: number;
  readonly delivery_fee: number;
  readonly currency: 'INR';
}

const DAY = '2026-03-04';

type Row = readonly [id: string, status: Order['status'], promised: string, delivered: string, price: number, fee: number];

const ROWS: readonly Row[] = [
  ['88213', 'delivered', '18:00', '19:02', 480, 25],
  ['88214', 'delivered', '18:00', '17:52', 310, 25],
  ['88215', 'delivered', '18:15', '18:33', 1_240, 40],
  // Exactly 30 minutes late is not more than 30 minutes late.
  ['88216', 'delivered', '18:30', '19:00', 560, 30],
  ['88217', 'delivered', '18:30', '19:01', 560, 30],
  ['88218', 'cancelled', '18:45', '', 725, 25],
  ['88220', 'in_transit', '19:00', '', 390, 35],
  ['88221', 'delivered', '19:15', '20:47', 2_150, 60],
  ['88222', 'delivered', '19:30', '19:30', 199, 0],
  ['88223', 'delivered', '19:45', '21:05', 845, 0],
];

export const ORDERS: readonly Order[] = ROWS.map(([order_id, status, promised, delivered, price, delivery_fee]) => ({
  order_id,
  status,
  promised_at: `${DAY} ${promised}`,
  ...(delivered ? { delivered_at: `${DAY} ${delivered}` } : {}),
  price,
  delivery_fee,
  currency: 'INR',
}));

/** People write `#88213` and ` 88213 ` too. */
export function orderNumber(text: string): string {
  return text.trim().replace(/^#/, '');
}

export function findOrder(id: string): Order | undefined {
  const number = orderNumber(id);
  return ORDERS.find(({ order_id }) => order_id === number);
}
