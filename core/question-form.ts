import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { QuestionField, QuestionForm } from './run.ts';

/** A person fills it in by hand: more than this is a document, not a question. */
const FIELDS_MAX = 20;
const OPTIONS_MAX = 50;
const LABEL_CHARS = 200;
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

export const FIELD_TYPES = ['text', 'number', 'boolean', 'choice', 'date'] as const satisfies readonly QuestionField['type'][];
const FIELD_KEYS: readonly string[] = ['type', 'label', 'options', 'required'];

/** The form of a question as a model wrote it: none, a form, or what is wrong with it and what to write instead. */
export function questionForm(fields: JsonValue | undefined): { readonly form?: QuestionForm } | { readonly problem: string } {
  if (fields === undefined || fields === null) return {};
  if (!isJsonObject(fields)) return { problem: '"fields" must be an object, for example {"amount":{"type":"number"}}' };
  const entries = Object.entries(fields);
  if (entries.length === 0) return {};
  if (entries.length > FIELDS_MAX) return { problem: `"fields" has ${entries.length} fields; ask for at most ${FIELDS_MAX}` };
  const form: Record<string, QuestionField> = {};
  for (const [name, value] of entries) {
    const field = NAME.test(name) ? fieldOf(name, value) : `the field name "${name.slice(0, 60)}" must be a letter and then up to 39 letters, digits, "_" or "-"`;
    if (typeof field === 'string') return { problem: field };
    form[name] = field;
  }
  return { form };
}

/** Models that must write every key of a schema write null where they mean nothing. */
function fieldOf(name: string, value: JsonValue): QuestionField | string {
  if (!isJsonObject(value)) return `the field "${name}" must be an object, for example {"type":"text"}`;
  const given = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  const unknown = Object.keys(given).find((key) => !FIELD_KEYS.includes(key));
  if (unknown !== undefined) return `the field "${name}" has "${unknown.slice(0, 40)}"; it takes ${FIELD_KEYS.join(', ')}`;
  const type = FIELD_TYPES.find((one) => one === given.type);
  if (!type) return `the field "${name}" needs a "type": one of ${FIELD_TYPES.join(', ')}`;
  return withRest(name, type, given);
}

function withRest(name: string, type: QuestionField['type'], { label, options, required }: JsonObject): QuestionField | string {
  if (label !== undefined && (typeof label !== 'string' || label.length > LABEL_CHARS)) return `the "label" of "${name}" must be text of at most ${LABEL_CHARS} characters`;
  if (required !== undefined && typeof required !== 'boolean') return `"required" of "${name}" must be true or false`;
  const choices = optionsOf(name, type, options);
  if (typeof choices === 'string') return choices;
  return {
    type,
    ...(typeof label === 'string' && label.trim() !== '' ? { label: label.trim() } : {}),
    ...(choices ? { options: choices } : {}),
    ...(typeof required === 'boolean' ? { required } : {}),
  };
}

function optionsOf(name: string, type: QuestionField['type'], options: JsonValue | undefined): readonly string[] | string | undefined {
  if (type !== 'choice') return options === undefined || isEmptyList(options) ? undefined : `only a field of type "choice" takes "options", and "${name}" is of type "${type}"`;
  const texts = Array.isArray(options) ? options.filter((one): one is string => typeof one === 'string' && one.trim() !== '' && one.length <= LABEL_CHARS) : [];
  const isWhole = Array.isArray(options) && texts.length === options.length;
  if (!isWhole || texts.length < 1 || texts.length > OPTIONS_MAX) return `the field "${name}" needs "options": a list of 1 to ${OPTIONS_MAX} texts to choose from`;
  return new Set(texts).size === texts.length ? texts : `the "options" of "${name}" name one thing twice`;
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}
