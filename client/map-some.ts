/** Like `Promise.all` over a list, with so many at once and no more. Results are in the list's order. */
export async function mapSome<T, R>(list: readonly T[], atOnce: number, work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Map<number, R>();
  const left = list.entries();
  const worker = async (): Promise<void> => {
    for (const [at, one] of left) results.set(at, await work(one));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker));
  return list.flatMap((_, at) => (results.has(at) ? [results.get(at) as R] : []));
}
