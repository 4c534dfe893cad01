import type { JsonObject, JsonValue } from './json.ts';
import type { QuestionField, QuestionForm } from './run.ts';

interface Answer {
  readonly text?: string;
  readonly fields?: JsonObject;
}

/** What is wrong with an answer, for the person who gave it. A question without a form takes any text. */
export function answerProblem(form: QuestionForm | undefined, { text, fields }: Answer): string | undefined {
  if (!form) return text === undefined ? 'the question takes a text as its answer' : undefined;
  if (!fields) return `the question asks for the fields ${Object.keys(form).join(', ')}: answer them by name`;
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(form, name));
  if (unknown !== undefined) return `the question has no field "${unknown.slice(0, 80)}"; it has ${Object.keys(form).join(', ')}`;
  const problems = Object.entries(form).flatMap(([name, field]) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const problem = value === undefined || value === '' ? (field.required === false ? undefined : 'is missing') : fieldProblem(field, value);
    return problem ? [`"${name}" ${problem}`] : [];
  });
  return problems.length === 0 ? undefined : problems.join('; ');
}

function fieldProblem({ type, options = [] }: QuestionField, value: JsonValue): string | undefined {
  switch (type) {
    case 'text': return typeof value === 'string' ? undefined : 'must be text';
    case 'number': return typeof value === 'number' ? undefined : 'must be a number';
    case 'boolean': return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'choice': return typeof value === 'string' && options.includes(value) ? undefined : `must be one of ${options.join(', ')}`;
    case 'date': return typeof value === 'string' && isDate(value) ? undefined : 'must be a date such as 2026-12-31';
  }
}

/** A day that exists, in the one spelling that nobody reads two ways. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The answer as the model reads it: a line for each field, or the text. */
export function answerText({ text, fields }: Answer): string {
  if (!fields) return text ?? '';
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [...lines, ...(text === undefined || text === '' ? [] : [text])].join('\n');
}
