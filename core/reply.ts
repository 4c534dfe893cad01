import type { JsonObject } from './json.ts';
import type { QuestionForm } from './run.ts';
import type { ReplyNote, TodoEntry } from './transcript.ts';

/** What an adapter brings back from a model, before anybody has read it. Everything in it may be odd. */
export interface ModelReply {
  readonly text: string;
  /** Calls as the provider structured them; always empty in the text form. */
  readonly calls: readonly RawCall[];
  readonly refusal?: string;
  readonly finish: 'stop' | 'length' | 'filter' | 'other';
  /** Absent, zero or not a number: the caller charges the reservation. */
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number; readonly cachedTokens?: number };
  readonly model: string;
  /** Fields of the message that go back unchanged. */
  readonly provider?: JsonObject;
  /** Parameters that this server refused and that were left out. */
  readonly dropped: readonly string[];
}

export interface RawCall {
  readonly name: string;
  readonly argumentsText: string;
  readonly provider?: JsonObject;
}

/** What a reply says, read but not yet checked against tools' schemas, evidence or rules. */
export interface ReadReply {
  readonly thought?: string;
  readonly actions: readonly ReadAction[];
  readonly notes: readonly ReplyNote[];
}

export type ReadAction =
  | { readonly kind: 'call'; readonly tool: string; readonly args: JsonObject; readonly raw: string; readonly repaired?: string; readonly provider?: JsonObject }
  /** Text form: `tool[free text]`; the checker puts it into the tool's one required field, or says which JSON is needed. */
  | { readonly kind: 'bare_call'; readonly tool: string; readonly input: string; readonly raw: string }
  | { readonly kind: 'final_answer'; readonly text: string; readonly provider?: JsonObject }
  | { readonly kind: 'ask_person'; readonly question: string; readonly form?: QuestionForm; readonly provider?: JsonObject }
  | { readonly kind: 'hand_over'; readonly reason: string; readonly queue?: string; readonly provider?: JsonObject }
  | { readonly kind: 'update_todo'; readonly items: readonly TodoEntry[]; readonly provider?: JsonObject }
  /** `text` tells the model what was wrong and what to write instead. */
  | { readonly kind: 'format'; readonly problem: 'format' | 'empty' | 'refused' | 'withheld'; readonly tool?: string; readonly text: string; readonly raw: string; readonly provider?: JsonObject };

/** A prompt, form already applied, in the shape that chat models share. Adapters translate it and add nothing. */
export type PromptMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly PromptCall[]; readonly provider?: JsonObject }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

export interface PromptCall {
  /** Nine letters and digits made from our own id: the strictest provider's form, legal for all. */
  readonly id: string;
  readonly name: string;
  /** Always valid JSON text of an object. */
  readonly argumentsText: string;
  readonly provider?: JsonObject;
}

/** A function as a model is told of it. */
export interface FunctionSpec {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

export interface Prompt {
  readonly messages: readonly PromptMessage[];
  readonly functions: readonly FunctionSpec[];
  readonly stop: readonly string[];
}
