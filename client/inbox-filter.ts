import { isSameName } from '../core/approvals.ts';
import type { Person } from '../core/run.ts';
import type { ApprovalEntry, InboxEntry, InboxRequest } from './inbox-entry.ts';

/** Whether an entry is what was asked for. */
export function isWanted(entry: InboxEntry, { mine, tool, queue, agent }: InboxRequest): boolean {
  if (agent !== undefined && entry.agent !== agent) return false;
  if (tool !== undefined && !('tool' in entry && entry.tool === tool)) return false;
  if (queue !== undefined && !(entry.kind === 'hand_over' && entry.queue === queue)) return false;
  return mine === undefined || isOf(entry, mine);
}

function isOf(entry: InboxEntry, person: Person): boolean {
  if (entry.kind === 'approval') return mayDecide(entry, person);
  return entry.heldBy !== undefined && isSameName(entry.heldBy.name, person.name);
}

/** What the run would say to this person's yes; the run itself decides. */
export function mayDecide({ roles, fourEyes, excluded = [], provenOnly }: ApprovalEntry, { name, verified, roles: own = [] }: Person): boolean {
  if (provenOnly && !verified) return false;
  if (fourEyes && excluded.some((other) => isSameName(other, name))) return false;
  return !verified || roles.length === 0 || roles.some((role) => own.includes(role));
}
