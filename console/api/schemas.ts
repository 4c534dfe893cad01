import { END_REASONS } from '../../core/run.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Verb } from '../../core/verbs.ts';

const TEXT = { type: 'string', minLength: 1 } as const;
const ANY_TEXT = { type: 'string' } as const;
const ANY_OBJECT = { type: 'object' } as const;
const TEXTS = { type: 'array', items: ANY_TEXT } as const;
const TEXT_OR_OBJECT = { type: ['string', 'object'] } as const;
const MONEY = object({ amount: { type: 'string', pattern: '^\\d{1,18}(\\.\\d{1,18})?$' }, currency: { type: 'string', pattern: '^[A-Z]{3}$' } }, ['amount', 'currency']);
const BUDGET: JsonObject = {
  oneOf: [
    object({ kind: { const: 'money' }, money: MONEY }, ['kind', 'money']),
    object({ kind: { const: 'tokens' }, tokens: { type: 'integer', minimum: 1 } }, ['kind', 'tokens']),
  ],
};
const LIMITS = object({ turns: { type: 'integer', minimum: 1 }, budget: BUDGET, timeMs: { type: 'integer', minimum: 1 } });

/** `by` is nowhere: a decision is made by whoever is signed in. */
export const START_BODY: JsonObject = object({
  agent: TEXT, task: TEXT, id: TEXT, constraints: TEXTS, form: { enum: ['function-calling', 'text'] }, limits: LIMITS,
}, ['agent', 'task']);

/** A decision's own id: the same one sent again is applied once. Made when absent. */
const DECISION = { id: { type: 'string', minLength: 1, maxLength: 200 } } as const;
const ON_CALL = { ...DECISION, call: TEXT, argsHash: TEXT } as const;

export const VERB_BODIES: Readonly<Record<Verb, JsonObject>> = {
  approve: object({ ...ON_CALL, reason: ANY_TEXT }, ['call', 'argsHash']),
  edit: object({ ...ON_CALL, args: ANY_OBJECT, reason: ANY_TEXT }, ['call', 'argsHash', 'args']),
  reject: object({ ...ON_CALL, reason: TEXT }, ['call', 'argsHash', 'reason']),
  respond: object({ ...ON_CALL, text: TEXT, reason: ANY_TEXT }, ['call', 'argsHash', 'text']),
  settle: object({ ...DECISION, call: TEXT, outcome: { enum: ['happened', 'not_happened', 'retry'] }, result: TEXT_OR_OBJECT }, ['call', 'outcome']),
  answer: object({ ...DECISION, call: TEXT, text: ANY_TEXT, fields: ANY_OBJECT }),
  message: object({ ...DECISION, text: TEXT, now: { type: 'boolean' } }, ['text']),
  redirect: object({ ...DECISION, goal: TEXT, constraints: TEXTS, now: { type: 'boolean' } }),
  pause: object({ ...DECISION, reason: ANY_TEXT }),
  resume: object({ ...DECISION, note: ANY_TEXT, goal: TEXT, limits: LIMITS }),
  'take-over': object({ ...DECISION, reason: ANY_TEXT }),
  call: object({ ...DECISION, tool: TEXT, args: ANY_OBJECT }, ['tool', 'args']),
  todo: object({ ...DECISION, done: { type: 'array', items: { type: 'integer', minimum: 1 } }, add: TEXTS }),
  'give-back': object({ ...DECISION, note: ANY_TEXT, goal: TEXT, limits: LIMITS }),
  resolve: object({ ...DECISION, answer: TEXT_OR_OBJECT }, ['answer']),
  cancel: object({ ...DECISION, reason: TEXT }, ['reason']),
};

/** An agent, or one tool of it. */
export const SWITCH_BODY: JsonObject = object({ agent: TEXT, tool: TEXT, off: { type: 'boolean' }, reason: ANY_TEXT }, ['agent', 'off']);

const TIME = { type: 'string', format: 'date-time' } as const;

/** Written into a list filter as it is: digits alone. */
const COST = { type: 'string', pattern: '^(\\d{1,12}(\\.\\d{1,9})?)?$' } as const;

export const LIST_QUERY: Readonly<Record<string, JsonObject>> = {
  agent: { ...ANY_TEXT, description: 'Name of the agent.' },
  status: { ...ANY_TEXT, description: 'running, waiting_approval, waiting_answer, waiting_outcome, paused, handed_over, taken_over or ended.' },
  endReason: { enum: END_REASONS, description: 'How the run ended.' },
  requestedBy: { ...ANY_TEXT, description: 'Who asked for the run.' },
  since: { ...TIME, description: 'Started at this time or later.' },
  until: { ...TIME, description: 'Started before this time.' },
  costFrom: { ...COST, description: 'Cost at least this much. A run tells its cost when its status changes, and the whole of it when it has ended.' },
  costTo: { ...COST, description: 'Cost at most this much.' },
  currency: { type: 'string', pattern: '^([A-Z]{3})?$', description: 'Costs in this currency.' },
  query: { ...ANY_TEXT, description: 'A list filter of Temporal, beside the others.' },
  limit: { type: 'integer', minimum: 1, maximum: 200, description: 'Rows of one page; 50 when absent.' },
  page: { ...ANY_TEXT, description: '`next` of the page before.' },
};

function object(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}
