import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import type { CallToCheck } from '../core/change.ts';
import type { CheckResult } from '../core/contract.ts';
import { decideVerb, finishVerb } from '../core/decisions.ts';
import { payloadProblem } from '../core/payload-problem.ts';
import type { RunState } from '../core/state.ts';
import type { Verb, VerbOutcome, VerbPayloads } from '../core/verbs.ts';
import { VERBS } from '../core/verbs.ts';
import { verbSignal, verbUpdate } from './messages.ts';
import { show } from './presence.ts';
import { checkCall } from './steps.ts';

/** The run's side of what persons send: decisions change the state in their handler, at once. */
export interface People {
  /** From now on decisions are applied; those that came before are applied first, in the order they came. */
  listen(run: StateHolder): void;
  /** Runs work that a cancel cuts short; a model call also gives way to whoever cannot wait for its reply. */
  interruptible<T>(kind: Work, work: () => Promise<T>): Promise<T>;
}

type Work = 'think' | 'call';

export interface StateHolder {
  readonly get: () => RunState;
  readonly set: (state: RunState) => void;
}

/** Registers every verb as a signal and an update before anything is awaited, so that none is lost. */
export function listenToPeople(): People {
  let run: StateHolder | undefined;
  const scopes = new Map<Work, CancellationScope>();

  const decide = async <V extends Verb>(verb: V, payload: VerbPayloads[V]): Promise<VerbOutcome> => {
    // Temporal's cancel may come before the agent is pinned: in a scope that is cancelled the wait itself would reject.
    if (!run) await CancellationScope.nonCancellable(() => condition(() => run !== undefined));
    if (!run) throw new Error('a condition held that does not');
    const decided = decideVerb(run.get(), { verb, payload, nowMs: Date.now() });
    record(run, decided.state);
    if ('check' in decided) return finish(run, { verb, payload }, await checked(run, decided.check));
    if (decided.outcome.applied) interrupt(decided.state, payload);
    return decided.outcome;
  };

  const interrupt = (state: RunState, payload: object) => {
    if (state.cancel || state.takenOver !== undefined || ('now' in payload && payload.now === true)) cut('think');
    if (state.cancel) cut('call');
  };

  const cut = (kind: Work) => {
    scopes.get(kind)?.cancel();
    scopes.delete(kind);
  };

  for (const verb of VERBS) handleVerb(verb, decide);
  // Temporal's own cancel does what ours does: the run ends cleanly with its package.
  CancellationScope.current().cancelRequested.catch(() =>
    decide('cancel', { id: 'temporal-cancel', by: { name: 'Temporal', verified: false }, reason: 'cancel was requested through Temporal' }),
  );

  return {
    listen: (holder) => {
      run = holder;
    },
    interruptible: (kind, start) => {
      // One scope serves until it is cut: each costs promises, and those are what a turn's processor time goes to.
      const scope = scopes.get(kind) ?? new CancellationScope();
      scopes.set(kind, scope);
      return scope.run(start);
    },
  };
}

/** Also after Temporal's own cancel, in whose scope nothing could be started any more. */
function checked(run: StateHolder, call: CallToCheck): Promise<CheckResult> {
  return CancellationScope.nonCancellable(() => checkCall(run.get(), call));
}

/** Only what takes a person's own arguments has to be checked. */
function finish(run: StateHolder, { verb, payload }: { readonly verb: Verb; readonly payload: VerbPayloads[Verb] }, result: CheckResult): VerbOutcome {
  const nowMs = Date.now();
  const decided = verb === 'edit'
    ? finishVerb(run.get(), { verb, payload: payload as VerbPayloads['edit'], nowMs }, result)
    : finishVerb(run.get(), { verb: 'call', payload: payload as VerbPayloads['call'], nowMs }, result);
  record(run, decided.state);
  return decided.outcome;
}

/** A decision may change how the run stands without waking the loop: a run that waits and is taken over goes on waiting. */
function record(run: StateHolder, state: RunState): void {
  run.set(state);
  if (state.agent.showsDecisions) show(state);
}

/** A malformed update is rejected and leaves no trace; a malformed signal cannot be answered, so it is dropped. */
function handleVerb<V extends Verb>(verb: V, decide: (verb: V, payload: VerbPayloads[V]) => Promise<VerbOutcome>): void {
  setHandler(verbSignal(verb), async (payload) => {
    if (payloadProblem(verb, payload) === undefined) await decide(verb, payload);
  });
  setHandler(verbUpdate(verb), (payload) => decide(verb, payload), {
    validator: (payload) => {
      const problem = payloadProblem(verb, payload);
      if (problem !== undefined) throw new Error(problem);
    },
  });
}
