import { limitProblem } from '../../core/approvals.ts';
import type { Money } from '../../core/money.ts';
import type { Person } from '../../core/run.ts';

/** What somebody may do here. Each may do what those before it may. */
export const ROLES = ['viewer', 'approver', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** What a role of the identity provider stands for. Tools and limit mean something for an approver only. */
export interface Grant {
  readonly is: Role;
  /** Tools whose held calls may be decided; absent: all. */
  readonly tools?: readonly string[];
  /** Highest amount of a call that may be decided; absent: any. */
  readonly upTo?: Money;
}

/** Who asks. The person is written into every decision; nobody can name another one. */
export interface Identity {
  readonly person: Person;
  readonly grants: readonly Grant[];
  /** How the name was proven. */
  readonly how: 'local' | 'token';
}

export function has({ grants }: Identity, role: Role): boolean {
  return grants.some(({ is }) => ROLES.indexOf(is) >= ROLES.indexOf(role));
}

/** A held call that somebody wants to decide. */
export interface Decided {
  readonly tool: string;
  readonly amount?: Money;
}

export type CallVerb = 'approve' | 'edit' | 'reject' | 'respond';

/**
 * Why this person may not decide this call, or nothing. To say no is open whatever the amount, as it is in the run; so is
 * a change, since what it comes to is held against `editLimits` by the run, once it has checked the new arguments.
 */
export function decisionProblem(identity: Identity, verb: CallVerb, call: Decided): string | undefined {
  const { grants, person } = identity;
  if (grants.some(({ is }) => is === 'operator')) return undefined;
  const forTool = grantsFor(grants, call);
  if (forTool.length === 0) return `${person.name} may not decide calls of ${call.tool}`;
  if (verb === 'reject' || verb === 'edit') return undefined;
  return limitProblem({ tool: call.tool, approval: { amount: call.amount } }, person, editLimits(identity, call));
}

/** What a change by this person may come to at most, one limit for each of their roles; nothing where one of these has none. */
export function editLimits({ grants }: Identity, call: Decided): readonly Money[] | undefined {
  if (grants.some(({ is }) => is === 'operator')) return undefined;
  const limits = grantsFor(grants, call).map(({ upTo }) => upTo);
  const known = limits.filter((upTo) => upTo !== undefined);
  return known.length === limits.length ? known : undefined;
}

function grantsFor(grants: readonly Grant[], { tool }: Decided): readonly Grant[] {
  return grants.filter(({ is, tools }) => is === 'approver' && (tools === undefined || tools.includes(tool)));
}
