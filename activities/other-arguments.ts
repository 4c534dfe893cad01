import type { ToolFacts } from '../core/agent.ts';
import type { JsonObject } from '../core/json.ts';
import { schemaProblems, unnamedFields } from './schema-problems.ts';

/** That a deployed tool does not take arguments which fit the schema that the run was given; nothing when it does. */
export function otherArguments({ name, schema }: ToolFacts, args: JsonObject): string | undefined {
  const problems = [...unnamedFields(schema, args), ...schemaProblems(schema, args)];
  return problems.length === 0 ? undefined : `${name} takes other arguments now than when this run started (${problems.join('; ')})`;
}
