import { createHash } from 'node:crypto';

/** What OpenAI and the servers that follow it take as a function's name. */
const LEGAL = /^[A-Za-z0-9_-]{1,64}$/;
const LEGAL_CHARS = 64;
const HASH_CHARS = 10;

export interface FunctionNames {
  /** The name that is sent; always legal. The same name gives the same one in every request of a run. */
  readonly toWire: (name: string) => string;
  /** Our name for one that came back; a name that was never sent out comes back as it is. */
  readonly fromWire: (wireName: string) => string;
}

/**
 * Maps tool names with dots or over 64 characters to legal ones and back. Legal names stay themselves; of the others
 * the legal part is kept, for the model to read, with a hash of the whole name, so that two long names that begin alike
 * stay two. A name that is not in the list (a made-up one in the conversation) is mapped in the same way.
 */
export function functionNames(names: readonly string[]): FunctionNames {
  const ours = new Map<string, string>(names.filter((name) => LEGAL.test(name)).map((name) => [name, name]));
  const wire = new Map<string, string>();
  for (const name of [...new Set(names)].filter((each) => !LEGAL.test(each)).sort()) {
    const mapped = firstFree(name, (candidate) => ours.has(candidate));
    ours.set(mapped, name);
    wire.set(name, mapped);
  }
  return {
    toWire: (name) => {
      if (LEGAL.test(name)) return name;
      return wire.get(name) ?? firstFree(name, (candidate) => ours.has(candidate));
    },
    fromWire: (wireName) => ours.get(wireName) ?? wireName,
  };
}

function firstFree(name: string, isTaken: (candidate: string) => boolean): string {
  for (let salt = 0; ; salt += 1) {
    const candidate = legalName(name, salt);
    if (!isTaken(candidate)) return candidate;
  }
}

function legalName(name: string, salt: number): string {
  const readable = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, LEGAL_CHARS - HASH_CHARS - 1);
  const hash = createHash('sha256').update(salt === 0 ? name : `${salt} ${name}`).digest('hex').slice(0, HASH_CHARS);
  return `${readable}_${hash}`;
}
