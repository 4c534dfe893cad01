import type { PinnedAgent } from '../core/agent.ts';
import type { PinInput, PinResult } from '../core/contract.ts';
import { utf8Bytes } from '../core/json.ts';
import type { PriceTable } from '../core/money.ts';
import { agentPromptBytes } from '../core/prompt.ts';
import { pinnedFrom } from '../tools/pinned-from.ts';
import type { Registry } from '../tools/registry.ts';

/** A pinned agent rides along at every continue-as-new and in the first page of every transcript. */
const MAX_PINNED_BYTES = 256 * 1024;

export interface PinParts {
  readonly registry: Registry;
  readonly searchAttributes: readonly string[];
  /** The model that a run of an agent with this wish gets. */
  readonly modelName: (agentModel: string | undefined) => string;
  readonly pricesFor: (model: string) => PriceTable | undefined;
}

/** The agent as it is now, as data. What cannot be used comes back as a problem that names the fix. */
export function createPinAgent(parts: PinParts): (input: PinInput) => Promise<PinResult> {
  return async ({ agent: name, form, constraints, limits }) => {
    const definition = parts.registry.findAgent(name);
    if (!definition) return { ok: false, problem: unknownAgent(name, parts.registry) };
    const model = parts.modelName(definition.model);
    const prices = parts.pricesFor(model);
    const pinned = pinnedFrom(definition, {
      model,
      searchAttributes: parts.searchAttributes,
      promptBytes: agentPromptBytes,
      ...(prices ? { prices } : {}),
      ...(form ? { form } : {}),
      ...(constraints ? { constraints } : {}),
      ...(limits ? { limits } : {}),
    });
    return Promise.resolve(pinned.ok ? withSizeChecked(pinned.agent) : pinned);
  };
}

function unknownAgent(name: string, { agents }: Registry): string {
  const known = [...new Set(agents.map((agent) => agent.name))].join(', ');
  return `This worker knows no agent "${name}". It knows: ${known || 'none'}. Start a worker with the module that defines it (--agents).`;
}

function withSizeChecked(agent: PinnedAgent): PinResult {
  const bytes = utf8Bytes(JSON.stringify(agent));
  if (bytes <= MAX_PINNED_BYTES) return { ok: true, agent };
  return {
    ok: false,
    problem: `The agent "${agent.name}" has ${Math.ceil(bytes / 1024)} KiB of instructions and tools, more than ${MAX_PINNED_BYTES / 1024} KiB: give it fewer tools or shorter descriptions.`,
  };
}
