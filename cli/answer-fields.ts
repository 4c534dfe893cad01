import { UsageError } from '../client/errors.ts';
import { answerProblem } from '../core/answer-form.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { QuestionField, QuestionForm } from '../core/run.ts';
import { answerCommand } from './waiting-text.ts';

/** `name=value` pairs as the question's form wants them. @throws UsageError that says how the command must look */
export function answerFields(id: string, pairs: readonly string[], form: QuestionForm | undefined): JsonObject {
  const fields = Object.fromEntries(pairs.map((pair) => fieldOf(pair, form)));
  const problem = form && answerProblem(form, { fields });
  if (problem) throw new UsageError(`${problem}.\nAnswer it: ${answerCommand(id, form)}`);
  return fields;
}

function fieldOf(pair: string, form: QuestionForm | undefined): readonly [string, JsonValue] {
  const at = pair.indexOf('=');
  if (at < 1) throw new UsageError(`"${pair}" is no field: write --field name=value.`);
  const name = pair.slice(0, at);
  const field = form && Object.hasOwn(form, name) ? form[name] : undefined;
  return [name, valueOf(pair.slice(at + 1), field?.type ?? 'text')];
}

/** What cannot be read stays text, and the check of the form says what is wanted. */
function valueOf(text: string, type: QuestionField['type']): JsonValue {
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && /^(true|yes|y)$/i.test(text)) return true;
  if (type === 'boolean' && /^(false|no|n)$/i.test(text)) return false;
  return text;
}
