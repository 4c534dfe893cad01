export const KEY_VARIABLE = 'CASEWORKER_CODEC_KEY';
const KEY_BYTES = 32;
const HOW = `${KEY_VARIABLE} is a list of NAME:KEY, each key 32 bytes in base64 (openssl rand -base64 32), the one to encrypt with first: "2026-12:…,2026-06:…"`;

/** Keys by their names, so that old runs stay readable after the key was changed. */
export interface CodecKeys {
  /** The name of the key that new data is encrypted with. */
  readonly current: string;
  readonly byName: ReadonlyMap<string, Buffer>;
}

/** @throws Error that says how the variable is set, and never what is in it. */
export function codecKeys(env: NodeJS.ProcessEnv): CodecKeys {
  const entries = (env[KEY_VARIABLE] ?? '').split(',').map((entry) => entry.trim()).filter((entry) => entry !== '');
  const byName = new Map(entries.map(parseEntry));
  const [current] = byName.keys();
  if (current === undefined) throw new Error(`No key to encrypt with. ${HOW}.`);
  if (byName.size < entries.length) throw new Error(`Two keys have the same name. ${HOW}.`);
  return { current, byName };
}

function parseEntry(entry: string, index: number): [string, Buffer] {
  const split = entry.indexOf(':');
  const key = Buffer.from(entry.slice(split + 1), 'base64');
  if (split < 1 || key.length !== KEY_BYTES) throw new Error(`Key ${index + 1} cannot be read. ${HOW}.`);
  return [entry.slice(0, split), key];
}
