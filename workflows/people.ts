import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import { decideVerb } from '../core/decisions.ts';
import { payloadProblem } from '../core/payload-problem.ts';
import type { RunState } from '../core/state.ts';
import type { Verb, VerbOutcome, VerbPayloads } from '../core/verbs.ts';
import { VERBS } from '../core/verbs.ts';
import { verbSignal, verbUpdate } from './messages.ts';

/** The run's side of what persons send: decisions change the state in their handler, at once. */
export interface People {
  /** From now on decisions are applied; those that came before are applied first, in the order they came. */
  listen(run: StateHolder): void;
  /** Runs work that a cancel cuts short. */
  interruptible<T>(work: () => Promise<T>): Promise<T>;
}

export interface StateHolder {
  readonly get: () => RunState;
  readonly set: (state: RunState) => void;
}

/** Registers every verb as a signal and an update before anything is awaited, so that none is lost. */
export function listenToPeople(): People {
  let run: StateHolder | undefined;
  const work = new Set<CancellationScope>();

  const decide = async <V extends Verb>(verb: V, payload: VerbPayloads[V]): Promise<VerbOutcome> => {
    if (!run) await condition(() => run !== undefined);
    if (!run) throw new Error('a condition held that does not');
    const { state, outcome } = decideVerb(run.get(), { verb, payload, nowMs: Date.now() });
    run.set(state);
    if (state.cancel) for (const scope of work) scope.cancel();
    return outcome;
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
    interruptible: async (start) => {
      const scope = new CancellationScope();
      work.add(scope);
      try {
        return await scope.run(start);
      } finally {
        work.delete(scope);
      }
    },
  };
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
