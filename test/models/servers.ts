import { afterEach } from 'vitest';
import { openAiChat, startScriptedModel } from '../../models/index.ts';
import type { Model, OpenAiChatOptions, Script, ScriptedModel, Scripts } from '../../models/index.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** Ends a server with the test that started it. */
export function closing<T extends { close(): Promise<void> }>(server: T): T {
  open.push(() => server.close());
  return server;
}

/** A scripted model server and the real adapter that speaks to it through the real client. */
export async function scripted(
  script: Script | Scripts, options: Partial<OpenAiChatOptions> = {},
): Promise<{ readonly server: ScriptedModel; readonly model: Model }> {
  const server = closing(await startScriptedModel(script));
  return { server, model: openAiChat({ baseURL: server.baseURL, apiKey: 'test', ...options }) };
}
