/** One figure of one subject: what each round gave, and the ratios to another subject of the same round. */
export interface Measure {
  readonly part: string;
  readonly subject: string;
  readonly figure: string;
  readonly unit: string;
  readonly samples: readonly number[];
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly ratios?: readonly Ratio[];
}

/** To the subject's own floor, or to a peer; the median of the rounds' ratios, since noise hits a round's rows alike. */
export interface Ratio {
  readonly to: string;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Samples as they come, by subject and figure, round after round. */
export interface Samples {
  add(subject: string, figure: string, value: number | undefined): void;
  of(subject: string, figure: string): readonly number[];
  /** In the order in which they first came. */
  keys(): readonly { readonly subject: string; readonly figure: string }[];
}

export function collectSamples(): Samples {
  const all = new Map<string, { readonly subject: string; readonly figure: string; readonly values: number[] }>();
  const key = (subject: string, figure: string) => `${subject}\n${figure}`;
  return {
    add(subject, figure, value) {
      if (value === undefined || !Number.isFinite(value)) return;
      const entry = all.get(key(subject, figure)) ?? { subject, figure, values: [] };
      entry.values.push(value);
      all.set(key(subject, figure), entry);
    },
    of: (subject, figure) => all.get(key(subject, figure))?.values ?? [],
    keys: () => [...all.values()].map(({ subject, figure }) => ({ subject, figure })),
  };
}

export interface Naming {
  readonly part: string;
  /** Unit by figure. */
  readonly units: Readonly<Record<string, string>>;
  /** Which subjects a subject is set against. */
  readonly against?: (subject: string) => readonly string[];
}

export function measures(samples: Samples, { part, units, against = () => [] }: Naming): readonly Measure[] {
  return samples.keys().map(({ subject, figure }) => {
    const values = samples.of(subject, figure);
    const ratios = against(subject).flatMap((to): readonly Ratio[] => {
      const others = samples.of(to, figure);
      const pairs = values.slice(0, others.length).map((value, i) => value / (others[i] ?? NaN));
      return pairs.length === 0 ? [] : [{ to, ...summary(pairs) }];
    });
    return { part, subject, figure, unit: units[figure] ?? '', samples: values, ...summary(values), ...(ratios.length > 0 ? { ratios } : {}) };
  });
}

export function summary(values: readonly number[]): { readonly median: number; readonly low: number; readonly high: number } {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: sorted[0] ?? NaN, high: sorted.at(-1) ?? NaN };
}

/** Of sorted values; between two neighbours their mean by weight. */
export function quantile(sorted: readonly number[], q: number): number {
  const at = (sorted.length - 1) * q;
  const [below, above] = [sorted[Math.floor(at)] ?? NaN, sorted[Math.ceil(at)] ?? NaN];
  return below + (above - below) * (at - Math.floor(at));
}
