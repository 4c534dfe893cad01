import type { JsonObject } from './json.ts';
import { BUILT_IN } from './names.ts';
import { FIELD_TYPES } from './question-form.ts';
import type { FunctionSpec } from './reply.ts';

/** Fields by name, instead of an answer in free text. */
const FORM_SCHEMA: JsonObject = {
  type: 'object',
  description: 'Fields of the answer by name, when it is to be more than text.',
  additionalProperties: objectSchema(
    {
      type: { type: 'string', enum: FIELD_TYPES },
      label: { type: 'string' },
      options: { type: 'array', items: { type: 'string' }, description: 'For choice.' },
      required: { type: 'boolean', description: 'true when absent.' },
    },
    ['type'],
  ),
};

/** The loop's own actions as functions; the answer is added where it has a schema. */
export const BUILT_IN_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: BUILT_IN.askPerson,
    description: 'Ask a person one question and wait for the answer. Use it when no tool can tell.',
    schema: objectSchema({ question: { type: 'string' }, fields: FORM_SCHEMA }, ['question']),
  },
  {
    name: BUILT_IN.handOver,
    description: 'Give the run to a person: when the task is not yours to decide, or you cannot go on.',
    schema: objectSchema(
      { reason: { type: 'string' }, queue: { type: 'string', description: 'Where it belongs, when you know.' } },
      ['reason'],
    ),
  },
  {
    name: BUILT_IN.todo,
    description: 'Write down the whole to-do list of a task with several parts; replaces the list before.',
    schema: objectSchema(
      {
        items: {
          type: 'array',
          items: objectSchema({ text: { type: 'string' }, done: { type: 'boolean' } }, ['text', 'done']),
        },
      },
      ['items'],
    ),
  },
  {
    name: BUILT_IN.recall,
    description: 'Bring back an observation that was cut or elided.',
    schema: objectSchema(
      {
        id: { type: 'string', description: 'The id in brackets in front of the observation, e.g. 3.1' },
        from: { type: 'integer', description: 'Character to start at; 0 when absent.' },
      },
      ['id'],
    ),
  },
];

function objectSchema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}
