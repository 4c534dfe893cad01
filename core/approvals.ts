import type { ApprovalPolicy, Decider } from './agent.ts';
import type { Money } from './money.ts';
import { nanoOf } from './money.ts';
import type { Person } from './run.ts';
import type { HeldCall, RunState } from './state.ts';

const DAY_MS = 86_400_000;

/** What holds where an agent says nothing: everybody may decide, for three days, and is told again after one. */
export const OPEN_POLICY: ApprovalPolicy = { deciders: [], allowUnverified: true, deadlineMs: 3 * DAY_MS, remindAfterMs: DAY_MS };

export function approvalPolicy({ agent }: RunState): ApprovalPolicy {
  return agent.approvals ?? OPEN_POLICY;
}

/** Roles that may decide a call of this tool that moves this amount. */
export function rolesFor({ deciders }: ApprovalPolicy, tool: string, amount: Money | undefined): readonly string[] {
  return [...new Set(deciders.filter((decider) => covers(decider, tool) && isWithin(decider, amount)).map(({ role }) => role))];
}

/** Roles that may decide calls of this tool, but none that moves so much, or nobody knows how much. */
export function rolesBeyond({ deciders }: ApprovalPolicy, tool: string, amount: Money | undefined): readonly { readonly role: string; readonly upTo: Money }[] {
  return deciders.flatMap((decider) => (decider.upTo && covers(decider, tool) && !isWithin(decider, amount) ? [{ role: decider.role, upTo: decider.upTo }] : []));
}

export function needsFourEyes({ fourEyes }: ApprovalPolicy, amount: Money | undefined): boolean {
  if (!fourEyes) return false;
  // An amount that nobody can tell, or in another currency, may be above any limit.
  return !fourEyes.above || !amount || !isAtMost(amount, fourEyes.above);
}

/** A call that a person decides, with those who had a hand in it. */
type DecidedCall = Pick<HeldCall, 'call' | 'editedBy' | 'orderedBy'>;

/**
 * Why this person may not decide this call, or nothing. A name that nobody has proven has no roles; saying no is open
 * to every role of the tool, whatever the amount and whoever asked for the run.
 */
export function decisionProblem(state: RunState, held: DecidedCall, { by, verb }: { readonly by: Person; readonly verb: string }): string | undefined {
  const policy = approvalPolicy(state);
  const { tool, approval: { amount } } = held.call;
  const fourEyes = needsFourEyes(policy, amount);
  const hasRoles = policy.deciders.length > 0;
  if ((hasRoles || fourEyes) && !by.verified && !policy.allowUnverified) {
    return `${tool} asks for ${hasRoles ? 'a role' : 'four eyes'}, and nobody has proven the name ${by.name}: decide it on the operators' page`;
  }
  if (fourEyes && verb !== 'reject' && involvedIn(state, held).some((name) => isSameName(name, by.name))) {
    return `four eyes are needed, and ${by.name} asked for this run, changed its course or changed the call: somebody else must decide`;
  }
  return hasRoles && by.verified ? roleProblem(policy, held, { by, verb }) : undefined;
}

function roleProblem(policy: ApprovalPolicy, { call }: DecidedCall, { by, verb }: { readonly by: Person; readonly verb: string }): string | undefined {
  const { tool, approval: { amount } } = call;
  const roles = verb === 'reject'
    ? policy.deciders.filter((decider) => covers(decider, tool)).map(({ role }) => role)
    : rolesFor(policy, tool, amount);
  if (roles.some((role) => by.roles?.includes(role))) return undefined;
  const what = amount ? `${tool} of ${amount.amount} ${amount.currency}` : tool;
  if (roles.length === 0) return `no role may decide ${what}: hand the run over, or raise a decider's limit in the agent's approvals`;
  return `${what} needs the role ${roles.join(' or ')}, and ${by.name} has ${by.roles?.join(', ') || 'none'}`;
}

/** What a call moves, as far as anybody knows. */
interface MovingCall {
  readonly tool: string;
  readonly approval: { readonly amount?: Money | undefined };
}

/** Why what a call has become is more than a person may decide where they were let in, or nothing. */
export function limitProblem({ tool, approval: { amount } }: MovingCall, by: Person, upTo: readonly Money[] | undefined): string | undefined {
  if (!upTo || (amount && upTo.some((limit) => isAtMost(amount, limit)))) return undefined;
  const what = amount ? `${tool} of ${amount.amount} ${amount.currency}` : `${tool}, of which no amount is known,`;
  return `${what} is above what ${by.name} may decide (${upTo.map((limit) => `${limit.amount} ${limit.currency}`).join(', ')})`;
}

/** Who had a hand in a call, and so does not count as a second pair of eyes. */
export function involvedIn({ involved }: RunState, { editedBy, orderedBy }: DecidedCall): readonly string[] {
  return [...involved, ...(editedBy ? [editedBy.name] : []), ...(orderedBy ? [orderedBy.name] : [])];
}

/** Whether two names mean one person: nobody is a second pair of eyes by a capital letter. */
export function isSameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function covers({ tools }: Decider, tool: string): boolean {
  return tools === undefined || tools.includes(tool);
}

function isWithin({ upTo }: Decider, amount: Money | undefined): boolean {
  return upTo === undefined || (amount !== undefined && isAtMost(amount, upTo));
}

function isAtMost(amount: Money, limit: Money): boolean {
  return amount.currency === limit.currency && nanoOf(amount) <= nanoOf(limit);
}
