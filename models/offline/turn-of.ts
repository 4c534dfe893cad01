import type { JsonObject } from '../../core/json.ts';
import { chatMessages } from './chat-body.ts';

/** An observation as prompts show it, its turn in front of the dot: `[3.1 ok]`. Data has marks in front and never matches. */
const OBSERVATION = /^(?:Observation: )?\[(\d{1,9})\.\d{1,9} [a-z]+\]/gm;
const MARKER = /\bscript:([A-Za-z0-9._-]+)/;

/**
 * Turns that a conversation has behind it. Both what the model said and what it was told are counted: an empty reply
 * leaves no message of the model, and a summary stands for many turns, but observations keep their numbers.
 */
export function turnOf(body: JsonObject): number {
  const messages = chatMessages(body);
  const told = messages
    .filter(({ role }) => role === 'user' || role === 'tool')
    .flatMap(({ text }) => [...text.matchAll(OBSERVATION)].map(([, turn]) => Number(turn)));
  const said = messages.filter(({ role }) => role === 'assistant').length;
  return told.reduce((most, turn) => Math.max(most, turn), said);
}

/** The script that a request asks for: a marker in the conversation goes before the model's name. */
export function scriptKey(body: JsonObject): string {
  for (const { role, text } of chatMessages(body)) {
    const marker = role === 'user' ? MARKER.exec(text)?.[1] : undefined;
    if (marker !== undefined) return marker;
  }
  return typeof body.model === 'string' ? body.model : '';
}
