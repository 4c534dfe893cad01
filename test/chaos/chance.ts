/** Random choices that a seed repeats: mulberry32, enough for choosing faults. */
export interface Chance {
  /** A whole number from 0 to below `below`. */
  int(below: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** Choices of their own for one thing, the same whatever else was chosen before. */
  for(name: string): Chance;
}

export function chance(seed: number | string): Chance {
  let state = numberOf(String(seed));
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return { int, pick: (from) => from[int(from.length)] ?? from[0], for: (name) => chance(`${seed}/${name}`) };
}

function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}
