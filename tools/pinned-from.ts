import { createHash } from 'node:crypto';
import type { Budget, Form, PinnedAgent } from '../core/agent.ts';
import { OPEN_POLICY } from '../core/approvals.ts';
import type { PinResult } from '../core/contract.ts';
import { canonicalJson, isJsonObject } from '../core/json.ts';
import { DEFAULT_MONEY_BUDGET, DEFAULT_TOKEN_BUDGET, contextMarks, limitsProblem } from '../core/limits.ts';
import type { PriceTable } from '../core/money.ts';
import type { LimitsInput } from '../core/run.ts';
import type { AgentDefinition } from './define-agent.ts';

/** What the worker and the caller add to a definition. */
export interface PinFacts {
  /** The worker's model, for agents that name none. */
  readonly model: string;
  /** The worker's price table for the model, for agents that bring none. */
  readonly prices?: PriceTable;
  /** Names of the search attributes that the server knows. */
  readonly searchAttributes: readonly string[];
  readonly form?: Form;
  readonly constraints?: readonly string[];
  readonly limits?: LimitsInput;
  /** UTF-8 bytes of what every prompt of this agent starts with. */
  readonly promptBytes: (agent: Omit<PinnedAgent, 'promptBytes' | 'context'>) => number;
}

/** The agent as plain data for one run, or why it cannot run so. Never throws for what a caller sent. */
export function pinnedFrom(definition: AgentDefinition, facts: PinFacts): PinResult {
  const prices = definition.prices ?? facts.prices;
  const set = facts.limits?.budget ?? definition.budget;
  const problem = (facts.limits === undefined ? undefined : limitsProblem(facts.limits)) ?? (set ? priceProblem(set, prices) : undefined);
  if (problem) return { ok: false, problem: `The limits cannot be used: ${problem}.` };
  const { turns, timeMs } = facts.limits ?? {};
  const agent = {
    name: definition.name,
    version: definition.version,
    hash: hashOf(definition),
    instructions: definition.instructions,
    model: definition.model ?? facts.model,
    form: facts.form ?? definition.form,
    tools: definition.tools.map((tool) => tool.facts),
    // A fork brings all that its parent had, the agent's own among them.
    constraints: [...new Set([...definition.constraints, ...(facts.constraints ?? [])])],
    limits: {
      ...definition.limits,
      ...(turns === undefined ? {} : { turns }),
      ...(timeMs === undefined ? {} : { timeMs }),
      budget: set ?? defaultBudget(prices),
    },
    handOverWhen: definition.counterRules,
    onStop: definition.onStop,
    approvals: definition.approvals ?? OPEN_POLICY,
    ...(definition.notify ? { notifies: true } : {}),
    ...(definition.answerSchema ? { answerSchema: definition.answerSchema } : {}),
    ...(prices ? { prices } : {}),
    searchAttributes: facts.searchAttributes,
    reservesNewText: true,
    waitsForCuts: true,
    localReads: true,
    showsDecisions: true,
  };
  const promptBytes = facts.promptBytes(agent);
  return { ok: true, agent: { ...agent, context: contextMarks(definition.context, promptBytes), promptBytes } };
}

/** ₹20 only where costs are known in rupees: any other currency would need a rate that nobody gave. */
function defaultBudget(prices: PriceTable | undefined): Budget {
  const { kind } = DEFAULT_MONEY_BUDGET;
  if (kind !== 'money' || prices?.budgetCurrency !== DEFAULT_MONEY_BUDGET.money.currency) return DEFAULT_TOKEN_BUDGET;
  return DEFAULT_MONEY_BUDGET;
}

/** A budget in money that somebody set must be kept; without prices in its currency it would never trip. */
function priceProblem(budget: Budget, prices: PriceTable | undefined): string | undefined {
  if (budget.kind === 'tokens') return undefined;
  const { currency } = budget.money;
  if (!prices) return `no price of the model is known, so a budget in ${currency} cannot be kept: set a price table, or a budget in tokens, e.g. "50000 tokens"`;
  if (prices.budgetCurrency === currency) return undefined;
  return `costs are known in ${prices.budgetCurrency} and no rate to ${currency} is: set the budget in ${prices.budgetCurrency} or in tokens, or add the rate to the price table`;
}

/** A definition never changes, and its hash is asked for by every call. */
const hashes = new WeakMap<AgentDefinition, string>();

/** sha256 over the definition's facts: two runs with one hash saw the same agent, but for the worker's own settings. */
export function hashOf(definition: AgentDefinition): string {
  const known = hashes.get(definition);
  if (known !== undefined) return known;
  const hash = measuredHash(definition);
  hashes.set(definition, hash);
  return hash;
}

function measuredHash(definition: AgentDefinition): string {
  const facts = { ...definition, tools: definition.tools.map((tool) => tool.facts) };
  const plain: unknown = JSON.parse(JSON.stringify(facts));
  if (!isJsonObject(plain)) throw new Error('an agent definition is an object');
  return createHash('sha256').update(canonicalJson(plain)).digest('hex');
}
