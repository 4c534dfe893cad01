import type { AgentDefinition } from './define-agent.ts';
import type { Tool } from './tool.ts';

/** The agents that a worker knows. A run asks for the version it was started with and never gets another. */
export interface Registry {
  /** Every definition, in the order given. */
  readonly agents: readonly AgentDefinition[];
  /** With a version: exactly that one. Without: the last one given under this name. */
  findAgent(name: string, version?: string): AgentDefinition | undefined;
  findTool(agent: string, version: string, tool: string): Tool | undefined;
}

/** Throws when two definitions have one name and version, since a run could not tell them apart. */
export function createRegistry(agents: readonly AgentDefinition[]): Registry {
  const versions = new Map<string, AgentDefinition>();
  const latest = new Map<string, AgentDefinition>();
  for (const agent of agents) {
    const id = identity(agent.name, agent.version);
    if (versions.has(id)) throw new Error(`Two agents are called "${agent.name}" in version "${agent.version}": give one another name or version.`);
    versions.set(id, agent);
    latest.set(agent.name, agent);
  }
  const findAgent = (name: string, version?: string): AgentDefinition | undefined =>
    version === undefined ? latest.get(name) : versions.get(identity(name, version));
  return {
    agents,
    findAgent,
    findTool: (agent, version, tool) => findAgent(agent, version)?.tools.find(({ name }) => name === tool),
  };
}

/** No name or version has a blank, so no two pairs share a text. */
function identity(name: string, version: string): string {
  return `${name} ${version}`;
}
