import { wellFormed } from '../core/data-text.ts';
import { isJsonObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { QuestionForm } from '../core/run.ts';
import type { ReadAction } from '../core/reply.ts';

/**
 * The action without lone surrogates. They cannot be written as UTF-8, so what is hashed, approved and run would not be
 * what crosses the border.
 */
export function wellFormedAction(action: ReadAction): ReadAction {
  switch (action.kind) {
    case 'call': return { ...action, args: wellFormedObject(action.args) };
    case 'bare_call': return { ...action, input: wellFormed(action.input) };
    case 'final_answer': return { ...action, text: wellFormed(action.text) };
    case 'ask_person': return { ...action, question: wellFormed(action.question), ...(action.form ? { form: wellFormedForm(action.form) } : {}) };
    case 'hand_over': return {
      ...action, reason: wellFormed(action.reason), ...(action.queue === undefined ? {} : { queue: wellFormed(action.queue) }),
    };
    case 'update_todo': return { ...action, items: action.items.map(({ text, done }) => ({ text: wellFormed(text), done })) };
    case 'format': return action;
  }
}

function wellFormedForm(form: QuestionForm): QuestionForm {
  return Object.fromEntries(Object.entries(form).map(([name, field]) => [wellFormed(name), {
    ...field,
    ...(field.label === undefined ? {} : { label: wellFormed(field.label) }),
    ...(field.options ? { options: field.options.map(wellFormed) } : {}),
  }]));
}

function wellFormedObject(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [wellFormed(key), wellFormedValue(value)]));
}

function wellFormedValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(wellFormedValue);
  return isJsonObject(value) ? wellFormedObject(value) : value;
}
