import { approvalPolicy, decisionProblem, limitProblem, needsFourEyes } from './approvals.ts';
import type { Applied, Moment, PersonDetails, Refused, VerbTable } from './change.ts';
import type { CheckResult } from './contract.ts';
import { answerHeld, isHoldable, isUndecided, remember, whoDecided, withHeld } from './held-calls.ts';
import { canonicalJson } from './json.ts';
import { isEffect, pendingTwin } from './pending-calls.ts';
import { earlierEffect, repeatedText } from './policy.ts';
import { append } from './state.ts';
import type { HeldCall, RunState } from './state.ts';
import type { CallDecision, VerbPayloads } from './verbs.ts';

/** Decisions on held calls. Each is bound to one call and to the arguments that the person was shown. */
export const CALL_VERBS: Pick<VerbTable, 'approve' | 'edit' | 'reject' | 'respond'> = {
  approve(state, payload, moment) {
    const found = decidable(state, payload, 'approve');
    if ('because' in found) return found;
    const stale = staleProblem(state, found.held);
    if (stale) return { because: stale, item: detailsOf(payload) };
    return {
      state: allowed(state, found.held, { payload, moment, verb: 'approved' }),
      text: `${found.held.call.tool} (${payload.call}) is approved${comesAfter(found.held) ? '' : ` and runs ${whenText(state)}`}.`, said: payload.reason ?? '', item: detailsOf(payload),
    };
  },

  // Who may change the arguments is asked again of what they become; a role for the tool is needed to begin with.
  edit(state, payload) {
    const found = decidable(state, payload, 'reject');
    if ('because' in found) return { ...found, item: { ...detailsOf(payload), args: payload.args } };
    const claimed = withHeld(state, payload.call, (held) => ({ ...held, checking: { by: payload.by, decision: payload.id } }));
    return { state: claimed, check: { call: payload.call, tool: found.held.call.tool, args: payload.args } };
  },

  reject(state, payload, { nowMs }) {
    const found = decidable(state, payload, 'reject');
    if ('because' in found) return { ...found, said: payload.reason };
    const text = `Not run: ${payload.by.name} rejected it: ${payload.reason}`;
    const denied = answerHeld(state, payload.call, { status: 'denied', text, by: payload.by });
    return {
      state: remember(denied, { call: payload.call, verb: 'rejected', by: payload.by.name, atMs: nowMs }),
      said: payload.reason, text: `${found.held.call.tool} (${payload.call}) is rejected and does not run.`, item: detailsOf(payload),
    };
  },

  respond(state, payload, { nowMs }) {
    const found = decidable(state, payload, 'respond');
    if ('because' in found) return { ...found, said: payload.text };
    const answered = answerHeld(state, payload.call, { status: 'ok', text: `${payload.by.name} answered instead of the tool: ${payload.text}`, by: payload.by });
    return {
      state: remember(answered, { call: payload.call, verb: 'answered', by: payload.by.name, atMs: nowMs }),
      said: payload.text, text: `${found.held.call.tool} (${payload.call}) does not run: your answer stands for its result.`, item: detailsOf(payload),
    };
  },
};

/** The edited call has been checked: it runs, it waits for somebody else's yes, or it stays held as it was. */
export function finishEdit(state: RunState, payload: VerbPayloads['edit'], { result, nowMs }: Moment & { readonly result: CheckResult }): Applied | Refused {
  const item = { ...detailsOf(payload), args: payload.args };
  const held = state.held.find(({ call, checking }) => call.id === payload.call && checking?.decision === payload.id);
  if (!held || held.decision) return { because: goneText(state, payload.call), item };
  const freed = withHeld(state, payload.call, ({ checking: _, ...rest }) => rest);
  const refuse = (because: string): Refused => ({ because: `${because}; ${payload.call} is held as it was`, item, state: freed });
  if (!result.ok) return refuse(result.problem);
  const { call } = result;
  if (!isHoldable(call)) return refuse('the changed call lacks what a decision is bound to');
  if (call.handOver) return refuse(call.handOver);
  if (state.cancel) return refuse('the run is being cancelled');
  const twin = pendingTwin(state, call);
  if (twin) return refuse(`the same call is made or held already (${twin})`);
  const earlier = earlierEffect(state, call);
  if (earlier) return refuse(`the same call was made at turn ${earlier.turn} (${earlier.call})`);
  const edited: HeldCall = { ...held, call, original: held.original ?? held.call.args };
  const problem = decisionProblem(state, edited, { by: payload.by, verb: 'edit' }) ?? limitProblem(edited.call, payload.by, payload.upTo);
  if (problem) return { ...refuse(problem), kind: 'not_allowed' };
  return applyEdit(freed, edited, { payload, nowMs });
}

function applyEdit(state: RunState, edited: HeldCall, { payload, nowMs }: Moment & { readonly payload: VerbPayloads['edit'] }): Applied {
  const item = { ...detailsOf(payload), args: payload.args };
  const { checking: _, ...rest } = edited;
  const changed = withHeld(state, payload.call, () => ({ ...rest, editedBy: payload.by }));
  const said = payload.reason ?? '';
  if (needsFourEyes(approvalPolicy(state), edited.call.approval.amount)) {
    const shown = append(changed, nowMs, {
      type: 'held', call: edited.call.id, tool: edited.call.tool, facts: edited.call.approval, deadlineMs: edited.deadlineMs, args: edited.call.args,
    });
    return { state: shown, said, item, text: `${edited.call.tool} (${payload.call}) is changed and waits for somebody else's approval.` };
  }
  const bound = { ...payload, argsHash: edited.call.approval.argsHash };
  return {
    state: allowed(changed, edited, { payload: bound, moment: { nowMs }, verb: 'changed and approved' }),
    said, item, text: `${edited.call.tool} (${payload.call}) runs ${whenText(state)} with the changed arguments.`,
  };
}

/** Another run was first: what comes of a yes then the record of effects decides. */
function comesAfter({ call: { approval } }: HeldCall): boolean {
  return approval.checks?.elsewhere !== undefined && approval.repeats !== true;
}

/** A paused run starts nothing, whatever is approved meanwhile. */
function whenText({ paused }: RunState): string {
  return paused ? 'as soon as the run is resumed' : 'now';
}

interface Yes {
  readonly payload: CallDecision;
  readonly moment: Moment;
  readonly verb: string;
}

function allowed(state: RunState, { call, original }: HeldCall, { payload, moment: { nowMs }, verb }: Yes): RunState {
  const { by, id, argsHash, reason } = payload;
  const approval = {
    by, atMs: nowMs, decision: id, argsHash, ...(reason === undefined ? {} : { reason }), ...(original ? { edited: true } : {}),
  };
  const decided = withHeld(state, call.id, (held) => ({ ...held, decision: { kind: 'run', approval } }));
  return remember(decided, { call: call.id, verb, by: by.name, atMs: nowMs });
}

/** The call that a decision means, if it waits, is what the person was shown, and is theirs to decide. */
function decidable(state: RunState, payload: CallDecision, verb: string): { readonly held: HeldCall } | Refused {
  const item = detailsOf(payload);
  if (state.cancel) return { because: 'the run is being cancelled', item };
  const held = state.held.find(({ call }) => call.id === payload.call);
  if (!held || !isUndecided(held)) return { because: goneText(state, payload.call), item };
  if (held.checking) return { because: `a change of it by ${held.checking.by.name} is being checked: look again in a moment`, item };
  if (held.call.approval.argsHash !== payload.argsHash) {
    return { because: `what waits as ${payload.call} is not what this decision was made on: ${shownArgs(held)}. Look at it, then decide`, item };
  }
  const problem = decisionProblem(state, held, { by: payload.by, verb });
  return problem ? { because: problem, kind: 'not_allowed', item } : { held };
}

/** An equal call was made while this one was held: whoever said yes was not shown it. */
function staleProblem(state: RunState, { call, heldAtMs }: HeldCall): string | undefined {
  const earlier = isEffect(state, call) ? earlierEffect(state, call) : undefined;
  if (!earlier || call.approval.why === repeatedText(earlier)) return undefined;
  return `since it was held on ${new Date(heldAtMs).toISOString()} this has changed: ${repeatedText(earlier)}. Reject it; whoever wants it done again can take the run over and call it`;
}

/** Early, late, foreign: why nothing waits under this number. */
function goneText(state: RunState, call: string): string {
  const decided = whoDecided(state, call);
  if (decided !== undefined) return decided;
  const waiting = state.held.filter(isUndecided).map((held) => held.call.id);
  return `no call ${call} waits for a decision (${waiting.length > 0 ? `waiting: ${waiting.join(', ')}` : 'none does'})`;
}

const SHOWN_CHARS = 300;

function shownArgs({ call }: HeldCall): string {
  const text = `${call.tool} ${canonicalJson(call.args)}`;
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS).replace(/[\ud800-\udbff]$/, '')}…`;
}

function detailsOf({ call, argsHash }: CallDecision): PersonDetails {
  return { call, argsHash };
}
