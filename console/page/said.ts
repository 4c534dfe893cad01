import { useEffect, useState } from 'preact/hooks';
import type { DecisionOutcome } from '../../client/types.ts';
import { ApiFailure, post } from './api.ts';
import { timeWords } from './words.ts';

/** What became of the last thing that the person did. */
export interface Said {
  readonly kind: 'done' | 'refused';
  readonly text: string;
}

let listener: ((said: Said | undefined) => void) | undefined;

export function say(said: Said | undefined): void {
  listener?.(said);
}

export function useSaid(): Said | undefined {
  const [said, setSaid] = useState<Said | undefined>();
  useEffect(() => {
    listener = setSaid;
    return () => { listener = undefined; };
  }, []);
  return said;
}

/** Brings a decision to a run and says what became of it. @returns whether it was taken */
export async function decide(run: string, verb: string, body: object): Promise<boolean> {
  try {
    const outcome = await post<DecisionOutcome>(`/api/runs/${encodeURIComponent(run)}/${verb}`, body);
    say(outcomeWords(verb, outcome));
    return outcome.state !== 'refused';
  } catch (error) {
    say({ kind: 'refused', text: error instanceof ApiFailure ? error.message : String(error) });
    return false;
  }
}

function outcomeWords(verb: string, outcome: DecisionOutcome): Said {
  switch (outcome.state) {
    case 'applied': return { kind: 'done', text: inZone(outcome.text) };
    case 'refused': return { kind: 'refused', text: `Not taken (${verb}): ${inZone(outcome.because)}.` };
    case 'delivered': return { kind: 'done', text: 'Delivered, not yet applied: no worker has taken it. It is applied as soon as one is up.' };
  }
}

/** Runs write times in UTC; a person reads them in their own zone. */
function inZone(text: string): string {
  return text.replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => timeWords(Date.parse(time)));
}
