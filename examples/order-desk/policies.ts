interface Policy {
  readonly topic: string;
  /** Beginnings of words that ask for it. */
  readonly asks: readonly string[];
  readonly text: string;
}

const POLICIES: readonly Policy[] = [
  {
    topic: 'late delivery',
    asks: ['late', 'delay', 'deliver', 'refund', 'fee', 'compensat'],
    text: 'Late delivery: the delivery fee of an order that arrived more than 30 minutes after the promised time is refunded, and nothing else. At 30 minutes or less nothing is refunded.',
  },
  {
    topic: 'cancelled orders',
    asks: ['cancel'],
    text: 'Cancelled orders: price and delivery fee went back to the customer when the order was cancelled. Nothing more is refunded.',
  },
  {
    topic: 'orders in transit',
    asks: ['transit', 'track', 'way', 'arriv'],
    text: 'Orders in transit: nothing is refunded before the order is delivered. Whether it is late is decided then.',
  },
];

export const POLICY_TOPICS: readonly string[] = POLICIES.map(({ topic }) => topic);

/** The policy that most words of a question ask for; of equals the first. */
export function findPolicy(question: string): string | undefined {
  const words = question.toLowerCase().split(/[^a-z]+/);
  const scored = POLICIES.map((policy) => ({
    policy,
    // A named topic is stronger than `refund`, which every question has.
    score: words.filter((word) => policy.asks.some((ask) => word.startsWith(ask))).length * (policy.asks.length < 6 ? 2 : 1),
  }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score > 0 ? best.policy.text : undefined;
}
