/** Longer names are compared by their beginning: the cost of a comparison is the product of both lengths. */
const COMPARED_CHARS = 64;
/** Two slips of the hand; more, and the names only happen to share letters. */
const NEAR = 2;

/** Names by likeness to the one that was asked for, the closest first; equal ones keep their order. */
export function nearestNames(asked: string, names: readonly string[]): readonly string[] {
  const wanted = normal(asked);
  return names
    .map((name) => ({ name, distance: distanceTo(wanted, normal(name)) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

/** Only the names that the one that was asked for may well stand for, the closest first: two slips, or one holds the other. */
export function nearNames(asked: string, names: readonly string[]): readonly string[] {
  const wanted = normal(asked);
  return nearestNames(asked, names.filter((name) => isNear(wanted, normal(name))));
}

function isNear(wanted: string, name: string): boolean {
  const [shorter, longer] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  if (shorter.length > 2 && longer.includes(shorter)) return true;
  return longer.length - shorter.length <= NEAR && longer.length > 2 * NEAR && editDistance(wanted, name) <= NEAR;
}

/** A name that holds the other (`order`, `get_order`) is closer than the letters that it has more. */
function distanceTo(wanted: string, name: string): number {
  const distance = editDistance(wanted, name);
  const isPart = Math.min(wanted.length, name.length) > 2 && (wanted.includes(name) || name.includes(wanted));
  return isPart ? distance / 4 : distance;
}

function normal(name: string): string {
  return name.slice(0, COMPARED_CHARS).toLowerCase().replace(/[-. ]/g, '_');
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
