import type { Form } from '../../core/agent.ts';
import type { Line } from '../../models/index.ts';
import { speaker } from '../support/speaker.ts';
import { chance } from './chance.ts';

/** One run of the harness: what its model says, and which effects an answer of it must have had. */
export interface Case {
  readonly id: string;
  readonly agent: string;
  readonly lines: readonly Line[];
  /** Ids of the effects that its model asks for. */
  readonly effects: readonly string[];
  /** Whether a lost result can be sent again; else a person gets the run. */
  readonly isIdempotent: boolean;
}

export const AGENT: Readonly<Record<Form, string>> = { 'function-calling': 'chaos', text: 'chaos-text' };

/** The n-th run of a seed: the same whenever it is asked. */
export function caseOf(seed: number, n: number): Case {
  const { int } = chance(`${seed}/case-${n}`);
  const id = `chaos-${seed}-${n}`;
  const form: Form = int(3) === 0 ? 'text' : 'function-calling';
  // One in five has a write that may happen once: every kill in it leaves an outcome that only a person can settle.
  const isIdempotent = int(5) > 0;
  const say = speaker(form);
  const lines: Line[] = [];
  const writes: (readonly [tool: string, args: { readonly effect: string }])[] = [];
  const repeated = new Set<(typeof writes)[number]>();
  const write = (tool: string) => {
    const call = [tool, { effect: `${id}-e${writes.length + 1}` }] as const;
    writes.push(call);
    return call;
  };
  const add = (thought: string, ...call: readonly [tool: string, args: { readonly effect: string }]) => lines.push(say.call(thought, ...call));
  const steps = 4 + int(5);
  for (let step = 0; step < steps; step += 1) {
    const kind = int(10);
    const again = writes[int(Math.max(1, writes.length))];
    // Asked once more, not again and again: that would be a stuck run, and rightly stopped.
    const isNews = again !== undefined && !repeated.has(again);
    if (kind < 3) lines.push(say.call('I look.', 'look', { at: `${id}-${step}` }));
    else if (kind < 5) add('I book.', ...write('book'));
    else if (kind < 7) add('A person must allow it.', ...write('sign'));
    else if (kind === 7 && !isIdempotent) add('I pay.', ...write('pay'));
    else if (kind === 8 && form === 'function-calling') lines.push(say.calls('Two at once.', write('book'), write('book'), ['look', { at: `${id}-${step}` }]));
    else if (isNews) {
      repeated.add(again);
      add('Once more, to be sure.', ...again);
    }
    else lines.push(say.call('I look.', 'look', { at: `${id}-${step}` }));
  }
  if (int(4) === 0) lines.push(say.call('I must know.', 'ask_person', { question: 'Go on?' }));
  add('The last one.', ...write(isIdempotent ? 'book' : 'pay'));
  lines.push(say.answer('Finished.'));
  return { id, agent: AGENT[form], lines, effects: writes.map(([, { effect }]) => effect), isIdempotent };
}
