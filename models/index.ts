export { ModelFailure } from './model.ts';
export type { Model, ModelRequest } from './model.ts';
export { openAiChat } from './openai-chat.ts';
export type { OpenAiChatOptions } from './openai-chat.ts';
export { startScriptedModel } from './offline/scripted-model.ts';
export type { ScriptedModel } from './offline/scripted-model.ts';
export type { RecordedRequest } from './offline/request-log.ts';
export type { Line, Script, ScriptedFault, ScriptedRequest, Scripts } from './offline/script.ts';
