import type { ApprovalPolicy, Decider } from '../core/agent.ts';
import { OPEN_POLICY } from '../core/approvals.ts';
import { durationMs } from '../core/duration.ts';
import type { Money } from '../core/money.ts';
import type { CallRule } from './define-agent.ts';
import { moneyOf } from './money-text.ts';
import type { Tool } from './tool.ts';

/** Who decides held calls, as an author writes it. Nothing of it lowers what a tool asks for. */
export interface AgentApprovals {
  /** Calls that are held beside those that their tools hold. A rule that throws holds the call. */
  readonly hold?: readonly CallRule[];
  /** Roles, what each may decide, and up to which amount (`500 INR`). Default: everybody decides everything. */
  readonly deciders?: readonly { readonly role: string; readonly tools?: readonly string[]; readonly upTo?: string }[];
  /**
   * Calls that somebody must approve who neither asked for the run, nor changed its course, nor wrote the arguments:
   * `true` for all, or above an amount (`500 INR`). Default: none.
   */
  readonly fourEyes?: boolean | string;
  /** Whether names that nobody has proven may decide calls that ask for a role or for four eyes. Default: `refused`. */
  readonly unverified?: 'allowed' | 'refused';
  /** How long a call is held before it is denied and the run handed over, e.g. `3d` (the default). */
  readonly deadline?: string;
  /** When persons are told a second time; default: after a third of the deadline. */
  readonly remindAfter?: string;
}

const NAMES = ['hold', 'deciders', 'fourEyes', 'unverified', 'deadline', 'remindAfter'];

/** The policy in the core's units. Throws with what is wrong: odd text is never "nobody has to be asked". */
export function parseApprovals(input: AgentApprovals, tools: readonly Tool[]): ApprovalPolicy {
  const odd = Object.keys(input).find((name) => !NAMES.includes(name));
  if (odd !== undefined) throw new Error(`approvals has no field "${odd}": use ${NAMES.join(', ')}`);
  const { deciders = [], unverified = 'refused' } = input;
  if (unverified !== 'allowed' && unverified !== 'refused') throw new Error(`approvals.unverified must be "allowed" or "refused", not ${JSON.stringify(unverified)}`);
  const deadlineMs = input.deadline === undefined ? OPEN_POLICY.deadlineMs : duration('deadline', input.deadline);
  const remindAfterMs = input.remindAfter === undefined ? Math.ceil(deadlineMs / 3) : duration('remindAfter', input.remindAfter);
  if (remindAfterMs >= deadlineMs) throw new Error('approvals.remindAfter must be shorter than approvals.deadline');
  const fourEyes = fourEyesOf(input.fourEyes);
  const policy = { deciders: deciders.map((one) => decider(one, tools)), ...(fourEyes ? { fourEyes } : {}), allowUnverified: unverified === 'allowed', deadlineMs, remindAfterMs };
  const problem = uncovered(policy, input, tools);
  if (problem) throw new Error(problem);
  return policy;
}

function decider({ role, tools, upTo }: NonNullable<AgentApprovals['deciders']>[number], known: readonly Tool[]): Decider {
  if (typeof role !== 'string' || role.trim() === '') throw new Error('a decider of approvals has no role: name it, e.g. { role: "support", upTo: "500 INR" }');
  const missing = tools?.find((tool) => !known.some(({ name }) => name === tool));
  if (missing !== undefined) throw new Error(`the decider "${role}" names the tool "${missing}", which the agent does not have`);
  return { role, ...(tools ? { tools } : {}), ...(upTo === undefined ? {} : { upTo: limit(`the decider "${role}": upTo`, upTo) }) };
}

function fourEyesOf(input: AgentApprovals['fourEyes']): ApprovalPolicy['fourEyes'] {
  if (input === undefined || input === false) return undefined;
  return input === true ? {} : { above: limit('approvals.fourEyes', input) };
}

function limit(what: string, text: unknown): Money {
  const money = typeof text === 'string' ? moneyOf(text) : undefined;
  if (!money) throw new Error(`${what} must be an amount with its currency, e.g. "500 INR", not ${JSON.stringify(text)}`);
  return money;
}

function duration(name: 'deadline' | 'remindAfter', text: unknown): number {
  const ms = typeof text === 'string' ? durationMs(text) : undefined;
  if (ms === undefined || ms <= 0) throw new Error(`approvals.${name} must be a number above 0 with its unit, e.g. "3d" or "12h", not ${JSON.stringify(text)}`);
  return ms;
}

/** A call that nobody may decide, or whose amount nobody can tell, would always end in a hand-over: said at once. */
function uncovered({ deciders, fourEyes }: ApprovalPolicy, { hold = [] }: AgentApprovals, tools: readonly Tool[]): string | undefined {
  const held = tools.filter(({ name, facts }) => facts.approval !== 'never' || hold.some((rule) => rule.tool === undefined || rule.tool === name));
  for (const tool of held) {
    const covering = deciders.filter((one) => one.tools === undefined || one.tools.includes(tool.name));
    if (deciders.length > 0 && covering.length === 0) return `approvals.deciders names nobody who may decide ${tool.name}: add a decider for it`;
    const needsAmount = fourEyes?.above !== undefined || (covering.length > 0 && covering.every(({ upTo }) => upTo !== undefined));
    if (needsAmount && !tool.hasAmount) return `approvals has limits in money for ${tool.name}, which does not say what it moves: give the tool amount: (args) => "25 INR", or a decider without upTo`;
  }
  return undefined;
}
