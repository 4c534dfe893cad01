import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../client/errors.ts';
import { isJsonObject } from '../core/json.ts';
import { DEFAULT_TASK_QUEUE } from '../core/names.ts';
import type { AgentDefinition } from '../tools/define-agent.ts';
import { dataDirOf } from '../worker/data-dir.ts';
import { FROM_SOURCE } from './command-name.ts';
import { defaultExport } from './load-module.ts';

/** What a project says once instead of with every command: the default export of `caseworker.config.ts`, `.js` or `.json`. */
export interface ProjectConfig {
  /** Path of the agents' module, from the config file's folder. */
  readonly agents?: string;
  readonly taskQueue?: string;
}

export interface Settings {
  /** Path of the module whose default export is the list of agents. */
  readonly agentsModule: string;
  readonly taskQueue: string;
  /** Server state, archive and whole observations. */
  readonly dataDir: string;
}

const CONFIG_FILES = ['caseworker.config.ts', 'caseworker.config.js', 'caseworker.config.json'];
const EXAMPLES = fileURLToPath(
  new URL(FROM_SOURCE ? '../examples/agents.ts' : '../examples/agents.js', import.meta.url),
);

/** Options win over the environment, the environment over the config file, the file over the defaults. @throws UsageError */
export async function loadSettings(
  options: { readonly agents?: string },
  env: NodeJS.ProcessEnv = process.env,
): Promise<Settings> {
  const cwd = process.cwd();
  const file = CONFIG_FILES.map((name) => join(cwd, name)).find((path) => existsSync(path));
  const config = file ? await readConfig(file) : {};
  const named = options.agents ?? env['CASEWORKER_AGENTS'];
  const configured =
    config.agents === undefined || file === undefined ? undefined : resolve(dirname(file), config.agents);
  return {
    agentsModule: named ? resolve(cwd, named) : (configured ?? EXAMPLES),
    taskQueue: env['CASEWORKER_TASK_QUEUE'] ?? config.taskQueue ?? DEFAULT_TASK_QUEUE,
    dataDir: dataDirOf(env),
  };
}

async function readConfig(file: string): Promise<ProjectConfig> {
  const value = file.endsWith('.json') ? await jsonOf(file) : await defaultExport(file, 'config file');
  if (!isJsonObject(value)) throw new UsageError(`${file} must give an object: { "agents": "./agents.ts" }.`);
  const { agents, taskQueue, ...others } = value;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined)
    throw new UsageError(`${file} has the unknown setting "${unknown}"; there are: agents, taskQueue.`);
  for (const [name, setting] of Object.entries({ agents, taskQueue })) {
    if (setting !== undefined && typeof setting !== 'string') throw new UsageError(`${file}: "${name}" must be text.`);
  }
  return {
    ...(typeof agents === 'string' ? { agents } : {}),
    ...(typeof taskQueue === 'string' ? { taskQueue } : {}),
  };
}

async function jsonOf(file: string): Promise<unknown> {
  const { readFile } = await import('node:fs/promises');
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}

/** The agents that a worker of this process serves. @throws UsageError */
export async function loadAgents(path: string): Promise<readonly AgentDefinition[]> {
  const value = await defaultExport(path, 'agents module');
  if (!isAgents(value) || value.length === 0) {
    throw new UsageError(
      `${path} must have a list of agents as its default export: export default [defineAgent({ … })].`,
    );
  }
  return value;
}

/** What `defineAgent` returns: the fields that only it can have filled in. */
function isAgents(value: unknown): value is readonly AgentDefinition[] {
  return (
    Array.isArray(value) &&
    value.every(
      (agent) =>
        isJsonObject(agent) &&
        typeof agent.name === 'string' &&
        Array.isArray(agent.tools) &&
        Array.isArray(agent.callRules),
    )
  );
}
