/** Where OpenAI itself answers. */
export const OPENAI_URL = 'https://api.openai.com/v1';

/** A model at a server that speaks Chat Completions. */
export interface ModelEndpoint {
  /** Address up to and without `/chat/completions`. */
  readonly baseURL: string;
  /** May be empty for a server that asks for none. */
  readonly apiKey: string;
  readonly model: string;
}
