import type { AgentDefinition } from '../tools/define-agent.ts';

/** Models choose worse from long lists of tools, and every turn pays for the whole list. */
const MANY_TOOLS = 20;

/** What about these agents a probing of one model cannot show. */
export function agentWarnings(agents: readonly AgentDefinition[], model: string): readonly string[] {
  return agents.flatMap(({ name, tools, model: own }) => [
    ...(tools.length > MANY_TOOLS
      ? [`agent ${name} has ${tools.length} tools: above ${MANY_TOOLS} models choose the wrong one more often; make two agents of it`] : []),
    ...(own !== undefined && own !== model ? [`agent ${name} asks for the model ${own}, which was not probed: set OPENAI_MODEL=${own}`] : []),
  ]);
}
