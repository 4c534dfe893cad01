import { describe, expect, test } from 'vitest';
import { OFFLINE_MODEL } from '../../models/index.ts';
import { modelAccess, providerOf } from '../../worker/model-access.ts';

describe('which model a worker reaches', () => {
  test('none is set: the offline model, whatever an agent asks for', () => {
    expect(providerOf({ OPENAI_MODEL: 'gpt-5-mini' })).toBeUndefined();
    expect(modelAccess({}).nameFor('gpt-5')).toBe(OFFLINE_MODEL);
  });

  test('a key alone is for OpenAI, an address alone for a server that asks for no key', () => {
    expect(providerOf({ OPENAI_API_KEY: 'k' })).toEqual({ baseURL: 'https://api.openai.com/v1', apiKey: 'k', model: 'gpt-5-mini' });
    expect(providerOf({ OPENAI_BASE_URL: 'http://box:8000/v1', OPENAI_MODEL: 'qwen' })).toEqual({ baseURL: 'http://box:8000/v1', apiKey: '', model: 'qwen' });
  });

  test('a variable that is set to nothing is not set', () => {
    expect(providerOf({ OPENAI_API_KEY: '', OPENAI_BASE_URL: '' })).toBeUndefined();
    expect(providerOf({ OPENAI_API_KEY: '', OPENAI_BASE_URL: 'http://box:8000/v1', OPENAI_MODEL: '' })).toMatchObject({ model: 'gpt-5-mini' });
  });

  test('the agent\'s own model goes before the one of the environment', () => {
    const models = modelAccess({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'gpt-5-mini' });
    expect([models.nameFor('gpt-5'), models.nameFor(undefined)]).toEqual(['gpt-5', 'gpt-5-mini']);
  });

  test('an address that is none is found when a model is asked, not when the worker starts, and is not printed', async () => {
    const models = modelAccess({ OPENAI_BASE_URL: 'user:secret@box' });
    expect(models.text).not.toContain('secret');
    await expect((await models.modelFor('gpt-5')).complete({
      model: 'gpt-5', prompt: { messages: [], functions: [], stop: [] }, maxOutputTokens: 1, timeoutMs: 1_000, signal: new AbortController().signal,
    })).rejects.toThrow(/OPENAI_BASE_URL is not/);
  });
});
