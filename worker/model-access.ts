import { FAILURE } from '../core/names.ts';
import { OFFLINE_MODEL, OPENAI_URL, openAiChat, startOfflineModel } from '../models/index.ts';
import type { ModelEndpoint } from '../models/index.ts';
import { ModelFailure } from '../models/model.ts';
import type { Model } from '../models/model.ts';

/** Model that is asked when a provider is set but neither the agent nor OPENAI_MODEL names one. */
const DEFAULT_MODEL = 'gpt-5-mini';

/** How this worker reaches models: the provider of its environment, and the offline model beside it. */
export interface ModelAccess {
  /** One line for people: which model answers. */
  readonly text: string;
  /** The name that a new run is pinned to. */
  nameFor(agentModel: string | undefined): string;
  /** The way to speak to a pinned name; runs pinned to the offline model keep it whatever is set later. */
  modelFor(name: string): Promise<Model>;
  close(): Promise<void>;
}

/**
 * The provider that OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL name; `undefined` without the first two. A variable
 * that is set to nothing is not set.
 */
export function providerOf(env: NodeJS.ProcessEnv): ModelEndpoint | undefined {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model } = env;
  if (!apiKey && !baseURL) return undefined;
  return { baseURL: baseURL || OPENAI_URL, apiKey: apiKey ?? '', model: model || DEFAULT_MODEL };
}

/** An address without what may be secret in it. */
export function hostOf(baseURL: string): string {
  const host = URL.canParse(baseURL) ? new URL(baseURL).host : '';
  return host || 'the address in OPENAI_BASE_URL';
}

/** The provider of the environment; without one the offline model answers. */
export function modelAccess(env: NodeJS.ProcessEnv): ModelAccess {
  const endpoint = providerOf(env);
  let offline: ReturnType<typeof startOfflineModel> | undefined;
  let provider: Model | undefined;

  const offlineModel = async (): Promise<Model> => {
    offline ??= startOfflineModel();
    return openAiChat({ baseURL: (await offline).baseURL, apiKey: 'offline' });
  };
  const providerModel = (): Model => {
    if (!endpoint) throw noProvider();
    provider ??= openAiChat(endpoint);
    return provider;
  };

  return {
    text: endpoint
      ? `${endpoint.model} at ${hostOf(endpoint.baseURL)}`
      : 'the offline model (rules, not an LLM); set OPENAI_API_KEY, or OPENAI_BASE_URL, and OPENAI_MODEL for a real one',
    nameFor: (agentModel) => (endpoint ? (agentModel ?? endpoint.model) : OFFLINE_MODEL),
    modelFor: async (name) => (name === OFFLINE_MODEL ? offlineModel() : providerModel()),
    close: async () => {
      if (offline) await (await offline).close();
    },
  };
}

function noProvider(): ModelFailure {
  return new ModelFailure({
    type: FAILURE.modelAuth,
    message: 'This run was started with a real model, and this worker has none: set OPENAI_API_KEY, or OPENAI_BASE_URL, and start the worker again.',
    retryable: false,
    billing: 'none',
  });
}
