import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTE } from '../core/names.ts';

// A default import: the package is CommonJS in a form that Node finds no names in.
const { INDEXED_VALUE_TYPE_KEYWORD: KEYWORD, INDEXED_VALUE_TYPE_DOUBLE: DOUBLE } = proto.temporal.api.enums.v1.IndexedValueType;
const NAMES: readonly string[] = Object.values(SEARCH_ATTRIBUTE);
const typeOf = (name: string): typeof KEYWORD | typeof DOUBLE => (name === SEARCH_ATTRIBUTE.cost ? DOUBLE : KEYWORD);

export interface AttributeServer {
  readonly connection: Connection;
  readonly namespace: string;
}

export interface KnownSearchAttributes {
  /** Those of ours that this server knows by their type: only these may be written by a run. */
  readonly known: readonly string[];
  /** What to tell people when some are missing. */
  readonly problem?: string;
}

/**
 * Registers our search attributes where that is allowed, and says which the server knows in the end. Never throws:
 * runs go on without them, only lists are poorer.
 */
export async function registerSearchAttributes(server: AttributeServer): Promise<KnownSearchAttributes> {
  const before = await list(server);
  const missing = NAMES.filter((name) => before.types[name] === undefined);
  if (missing.length === 0) return summary(before.types, before.problem);
  // The cost needs a column of its own kind: where there is none left, the others are there all the same.
  const [ofCost, others] = [missing.filter((name) => typeOf(name) === DOUBLE), missing.filter((name) => typeOf(name) === KEYWORD)];
  const problem = (await add(server, others)) ?? (await add(server, ofCost));
  const after = await list(server);
  return summary(after.types, problem ?? after.problem);
}

type Types = Readonly<Partial<Record<string, number>>>;

async function list({ connection, namespace }: AttributeServer): Promise<{ readonly types: Types; readonly problem?: string }> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return { types: { ...customAttributes } };
  } catch (error) {
    return { types: {}, problem: messageOf(error) };
  }
}

/** @returns why it did not work. */
async function add({ connection, namespace }: AttributeServer, names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  try {
    const searchAttributes = Object.fromEntries(names.map((name) => [name, typeOf(name)]));
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** An attribute of our name and another type would fail a run's workflow task for ever: it does not count as known. */
function summary(types: Types, failure: string | undefined): KnownSearchAttributes {
  const known = NAMES.filter((name) => types[name] === typeOf(name));
  if (known.length === NAMES.length) return { known };
  const missing = NAMES.filter((name) => !known.includes(name));
  const why = failure ?? 'attributes of these names have another type there';
  return { known, problem: `Runs go on without the search attributes ${missing.join(', ')}: ${why}. An operator can add them as type Keyword, and ${SEARCH_ATTRIBUTE.cost} as Double.` };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
