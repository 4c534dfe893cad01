import type { Budget, ContextMarks, ContextSettings, Limits } from './agent.ts';
import { nano } from './money.ts';

/** Limits of an agent that names none, but for the budget: which one that is depends on whether a price is known. */
export const DEFAULT_LIMITS: Omit<Limits, 'budget'> = {
  turns: 12,
  timeMs: 120_000,
  repeats: 3,
  idleTurns: 3,
  outputTokens: 1_024,
  modelCallMs: 60_000,
  modelAttempts: 5,
  waitMs: 30 * 86_400_000,
};

/** Where the run's cost is known in this currency. */
export const DEFAULT_MONEY_BUDGET: Budget = { kind: 'money', money: { amount: '20', currency: 'INR' } };
/** Where it is not. */
export const DEFAULT_TOKEN_BUDGET: Budget = { kind: 'tokens', tokens: 200_000 };

/** The marks of an agent that names none of its own; those of the prompt's length follow from what the agent itself takes. */
export const DEFAULT_CONTEXT: ContextSettings = {
  observationChars: 1_500,
  summaryChars: 1_500,
  // Far below the server's own limits (51,200 events, 50 MiB), so that a replay after a crash takes some two seconds at most:
  // 200 turns of two activities, 350 where reads are made within the workflow task.
  historyEvents: 2_500,
  historyBytes: 4 * 1024 * 1024,
};

/**
 * What a conversation may take beside the agent's own instructions and tools, in UTF-8 bytes: about what ten turns bring,
 * however long those instructions are and whatever a tokenizer makes of them. A turn late in a long run then costs little
 * more than one in a short run does.
 */
export const CONVERSATION_BYTES = 18_000;
/** As a tokenizer makes of most texts; only a mark that an author left out is set by it, budgets go by what the provider reports. */
const BYTES_A_TOKEN = 4;

/** The marks as a run has them pinned. An agent that names one mark of length says so once: the other follows. */
export function contextMarks({ elideAboveTokens, summariseAboveTokens, ...rest }: ContextSettings, promptBytes: number): ContextMarks {
  const usual = Math.ceil((promptBytes + CONVERSATION_BYTES) / BYTES_A_TOKEN);
  if (elideAboveTokens === undefined && summariseAboveTokens === undefined) {
    return { ...rest, elideAboveTokens: usual, summariseAboveTokens: usual, conversationBytes: CONVERSATION_BYTES };
  }
  const elide = elideAboveTokens ?? Math.min(usual, summariseAboveTokens ?? usual);
  return { ...rest, elideAboveTokens: elide, summariseAboveTokens: summariseAboveTokens ?? elide };
}

/** Above these a limit is no limit any more but a slip of the hand. */
const MOST_TURNS = 10_000;
const LONGEST_MS = 365 * 86_400_000;

/**
 * What is wrong with the limits that a caller sets for one run (`LimitsInput`, but anything may arrive), as a phrase
 * that names the fix; nothing when they can be used. Zero, negative, NaN, null and text are refused: none of them may
 * ever mean "no limit".
 */
export function limitsProblem(limits: unknown): string | undefined {
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) {
    return 'limits must be an object with turns, budget or timeMs';
  }
  const fields: Readonly<Record<string, unknown>> = { ...limits };
  const odd = Object.keys(fields).find((name) => name !== 'turns' && name !== 'budget' && name !== 'timeMs');
  if (odd !== undefined) return `there is no limit "${odd.slice(0, 40)}": use turns, budget or timeMs`;
  const { turns, budget, timeMs } = fields;
  return (
    (turns === undefined ? undefined : wholeNumberProblem('turns', turns, MOST_TURNS)) ??
    (budget === undefined ? undefined : budgetProblem(budget)) ??
    (timeMs === undefined ? undefined : wholeNumberProblem('timeMs', timeMs, LONGEST_MS))
  );
}

/** What is wrong with a count that must be 1 or more; `most` is the largest that makes sense. */
export function wholeNumberProblem(name: string, value: unknown, most: number): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most) return undefined;
  return `${name} must be a whole number from 1 to ${most}, not ${shown(value)}`;
}

export function budgetProblem(budget: unknown): string | undefined {
  if (typeof budget !== 'object' || budget === null) return `budget must be money or tokens, e.g. "₹20" or "5000 tokens", not ${shown(budget)}`;
  const { kind, money, tokens }: { readonly kind?: unknown; readonly money?: unknown; readonly tokens?: unknown } = budget;
  if (kind === 'tokens') return wholeNumberProblem('budget in tokens', tokens, Number.MAX_SAFE_INTEGER);
  if (kind !== 'money' || typeof money !== 'object' || money === null) return 'budget must be of kind "money" or "tokens"';
  const { amount, currency }: { readonly amount?: unknown; readonly currency?: unknown } = money;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return `budget needs a currency of three capitals, e.g. INR, not ${shown(currency)}`;
  const size = typeof amount === 'string' ? nano(amount) : undefined;
  if (size === undefined || size <= 0n) return `budget must be a decimal text above 0, e.g. "20" or "0.50", not ${shown(amount)}`;
  return undefined;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
