/** Gates by name that open once and stay open. */
export interface Latches {
  readonly open: (name: string) => void;
  readonly opened: (name: string) => Promise<void>;
}

export function latches(): Latches {
  const gates = new Map<string, { readonly promise: Promise<void>; readonly resolve: () => void }>();
  const gate = (name: string) => {
    const known = gates.get(name);
    if (known) return known;
    let resolve = (): void => undefined;
    const made = { promise: new Promise<void>((opened) => { resolve = opened; }), resolve: () => resolve() };
    gates.set(name, made);
    return made;
  };
  return { open: (name) => gate(name).resolve(), opened: (name) => gate(name).promise };
}
