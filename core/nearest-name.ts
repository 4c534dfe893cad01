/** Longer names are compared by their beginning: the cost of a comparison is the product of both lengths. */
const COMPARED_CHARS = 64;

/** Names by likeness to the one that was asked for, the closest first; equal ones keep their order. */
export function nearestNames(asked: string, names: readonly string[]): readonly string[] {
  const wanted = normal(asked);
  return names
    .map((name) => ({ name, distance: editDistance(wanted, normal(name)) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

function normal(name: string): string {
  return name.slice(0, COMPARED_CHARS).toLowerCase().replaceAll('-', '_').replaceAll('.', '_');
}

/** Insertions, deletions and replacements that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
