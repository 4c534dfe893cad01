import { approvalPolicy, involvedIn, needsFourEyes, rolesBeyond, rolesFor } from './approvals.ts';
import type { HeldView, Person } from './run.ts';
import { append } from './state.ts';
import type { HeldCall, RunState } from './state.ts';
import type { CallAction, ObservationItem } from './transcript.ts';

/** Decisions remembered to tell late ones who was first. */
const REMEMBERED = 200;

export function isHoldable(call: CallAction): call is HeldCall['call'] {
  return call.approval !== undefined;
}

/** The call waits for a person from now on. */
export function hold(state: RunState, call: HeldCall['call'], { nowMs, orderedBy }: { readonly nowMs: number; readonly orderedBy?: Person }): RunState {
  const deadlineMs = nowMs + approvalPolicy(state).deadlineMs;
  const held: HeldCall = { call, heldAtMs: nowMs, deadlineMs, reminded: false, ...(orderedBy ? { orderedBy } : {}) };
  return append({ ...state, held: [...state.held, held] }, nowMs, {
    type: 'held', call: call.id, tool: call.tool, facts: call.approval, deadlineMs,
    ...(orderedBy ? { orderedBy, args: call.args } : {}),
  });
}

export function isUndecided({ decision }: HeldCall): boolean {
  return decision === undefined;
}

export function withHeld(state: RunState, id: string, change: (held: HeldCall) => HeldCall): RunState {
  return { ...state, held: state.held.map((held) => (held.call.id === id ? change(held) : held)) };
}

export function withoutHeld(state: RunState, ids: readonly string[]): RunState {
  return { ...state, held: state.held.filter(({ call }) => !ids.includes(call.id)) };
}

/** Remembers who decided, so that whoever comes late is told. */
export function remember(state: RunState, decided: RunState['decided'][number]): RunState {
  return { ...state, decided: [...state.decided, decided].slice(-REMEMBERED) };
}

/** Who decided a call, what and when, for whoever comes after. */
export function whoDecided({ decided }: RunState, call: string): string | undefined {
  const first = decided.findLast((one) => one.call === call);
  return first && `${first.by} ${first.verb} it on ${new Date(first.atMs).toISOString()}`;
}

/** The call gets its observation without having run. */
export function answerHeld(state: RunState, id: string, { status, text, by }: Pick<ObservationItem, 'status' | 'text' | 'by'>): RunState {
  return withHeld(state, id, ({ checking: _, ...held }) => ({
    ...held,
    decision: {
      kind: 'answered',
      observation: {
        type: 'observation', call: id, tool: held.call.tool, status, text, seen: [], hash: `${status}:${text}`, ms: 0, ...(by ? { by } : {}),
      },
    },
  }));
}

/** When something is due for an undecided call, in milliseconds since the epoch: its reminder, then its deadline. An edit that is being checked is let through first. */
export function nextDueMs(state: RunState): number | undefined {
  const { remindAfterMs } = approvalPolicy(state);
  const due = state.held.filter((held) => isUndecided(held) && !held.checking).map(({ reminded, heldAtMs, deadlineMs }) =>
    reminded ? deadlineMs : Math.min(deadlineMs, heldAtMs + remindAfterMs),
  );
  return due.length === 0 ? undefined : Math.min(...due);
}

/** Marks the calls of which persons are told a second time now. */
export function withReminders(state: RunState, nowMs: number): RunState {
  const { remindAfterMs } = approvalPolicy(state);
  const isDue = (held: HeldCall) => isUndecided(held) && !held.reminded && held.heldAtMs + remindAfterMs <= nowMs && held.deadlineMs > nowMs;
  return state.held.some(isDue) ? { ...state, held: state.held.map((held) => (isDue(held) ? { ...held, reminded: true } : held)) } : state;
}

/** Silence is no yes: the call is denied, and the run is handed over. */
export function withExpired(state: RunState, nowMs: number): RunState {
  const late = state.held.filter((held) => isUndecided(held) && !held.checking && held.deadlineMs <= nowMs);
  return late.reduce((now, { call, orderedBy }) => {
    const denied = answerHeld(now, call.id, { status: 'denied', text: 'Nobody decided in time: not run.' });
    const told = remember(denied, { call: call.id, verb: 'passed for', by: 'the deadline', atMs: nowMs });
    if (orderedBy || now.ending) return told;
    const text = `Nobody decided in time whether ${call.tool} (${call.id}) may run.`;
    return { ...told, ending: { reason: 'hand_over', detail: 'approval_expired', text } };
  }, state);
}

export function heldViews(state: RunState): readonly HeldView[] {
  return state.held.filter(isUndecided).map((held) => heldView(state, held));
}

function heldView(state: RunState, held: HeldCall): HeldView {
  const policy = approvalPolicy(state);
  const { call, heldAtMs, deadlineMs, original, editedBy, orderedBy } = held;
  const roles = rolesFor(policy, call.tool, call.approval.amount);
  const beyond = rolesBeyond(policy, call.tool, call.approval.amount);
  const fourEyes = needsFourEyes(policy, call.approval.amount);
  return {
    call: call.id, tool: call.tool, args: call.args, ...call.approval, heldAtMs, deadlineMs,
    ...(call.effect ? { effect: call.effect } : {}),
    ...(call.key === undefined ? {} : { case: { key: call.key, hash: call.hash } }),
    ...(original ? { original } : {}),
    ...(editedBy ? { editedBy } : {}),
    ...(orderedBy ? { orderedBy } : {}),
    roles,
    ...(beyond.length > 0 ? { beyond } : {}),
    fourEyes,
    ...(fourEyes ? { excluded: involvedIn(state, held) } : {}),
    ...((policy.deciders.length > 0 || fourEyes) && !policy.allowUnverified ? { provenOnly: true } : {}),
  };
}
