import { isJsonObject } from '../../core/json.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { BUILT_IN } from '../../core/names.ts';
import type { Saying } from './completion.ts';
import type { Decision } from './decision.ts';
import type { View } from './view.ts';

/**
 * What real models do in the text form when nothing stops them: they write the next observation themselves. A server
 * that honours `stop` ends before it; whoever reads replies has to cut here again.
 */
const WRITES_ON = '\nObservation: {"status":"ok"}\nThought: I now know the answer.\nFinal Answer: done';

/** A decision in the words of the form. */
export function speak(view: View, decision: Decision): Saying {
  const answer = 'answer' in decision ? structured(view, decision.answer) : undefined;
  if (view.form === 'text') return { text: `Thought: ${decision.thought}\n${textAction(decision, answer)}` };
  if ('calls' in decision) {
    return { text: decision.thought, calls: decision.calls.map(({ tool, args }) => ({ name: tool, args })) };
  }
  if (isJsonObject(answer)) return { text: decision.thought, calls: [{ name: BUILT_IN.finalAnswer, args: answer }] };
  return { text: answer ?? '' };
}

function textAction(decision: Decision, answer: string | JsonObject | undefined): string {
  if (!('calls' in decision)) return `Final Answer: ${isJsonObject(answer) ? JSON.stringify(answer) : answer ?? ''}`;
  const [call] = decision.calls;
  return `Action: ${call?.tool ?? ''}\nAction Input: ${JSON.stringify(call?.args ?? {})}${WRITES_ON}`;
}

/** An answer with a schema: its texts say the answer, its numbers are the first amount in it. */
function structured({ answerSchema }: View, answer: string): string | JsonObject {
  if (!answerSchema) return answer;
  const properties = isJsonObject(answerSchema.properties) ? answerSchema.properties : {};
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueFor(schema, answer)]));
}

function valueFor(schema: JsonValue, answer: string): JsonValue {
  if (!isJsonObject(schema)) return answer;
  const amount = Number(/₹\s?([\d,]+(?:\.\d+)?)/.exec(answer)?.[1]?.replaceAll(',', '') ?? '0');
  switch (schema.type) {
    case 'number':
    case 'integer': return amount;
    case 'boolean': return amount > 0;
    case 'array': return [];
    case 'object': return {};
    default: return Array.isArray(schema.enum) ? (schema.enum as readonly JsonValue[])[0] ?? answer : answer;
  }
}
