import { FAILURE } from '../core/names.ts';
import { OFFLINE_MODEL, openAiChat, startOfflineModel } from '../models/index.ts';
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

/** Reads OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL; without the first two the offline model answers. */
export function modelAccess(env: NodeJS.ProcessEnv): ModelAccess {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: named } = env;
  const hasProvider = Boolean(apiKey ?? baseURL);
  let offline: ReturnType<typeof startOfflineModel> | undefined;
  let provider: Model | undefined;

  const offlineModel = async (): Promise<Model> => {
    offline ??= startOfflineModel();
    return openAiChat({ baseURL: (await offline).baseURL, apiKey: 'offline' });
  };
  const providerModel = (): Model => {
    if (!hasProvider) throw noProvider();
    // A server of one's own often takes no key, but the client library insists on a text.
    provider ??= openAiChat({ apiKey: apiKey ?? 'none', ...(baseURL ? { baseURL } : {}) });
    return provider;
  };

  return {
    text: hasProvider
      ? `${named ?? DEFAULT_MODEL} at ${baseURL ? new URL(baseURL).host : 'api.openai.com'}`
      : 'the offline model (rules, not an LLM); set OPENAI_API_KEY, or OPENAI_BASE_URL, and OPENAI_MODEL for a real one',
    nameFor: (agentModel) => (hasProvider ? (agentModel ?? named ?? DEFAULT_MODEL) : OFFLINE_MODEL),
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
