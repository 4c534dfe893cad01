import { useState } from 'preact/hooks';
import type { StartedRun } from '../../../client/types.ts';
import { ApiFailure, post } from '../api.ts';
import { useMay, useMe } from '../me.ts';
import { Notice } from '../parts/bits.tsx';
import { Field, Form, TextField } from '../parts/forms.tsx';
import { runAddress } from '../route.ts';
import { say } from '../said.ts';

/** A form for one run. */
export function StartView() {
  const { agents } = useMe();
  const may = useMay('operator');
  const [values, setValues] = useState({ agent: agents[0] ?? '', task: '', constraints: '', id: '', turns: '', amount: '', currency: 'INR', seconds: '' });
  const [problem, setProblem] = useState<string | undefined>();
  const set = (name: keyof typeof values) => (value: string): void => {
    setProblem(undefined);
    setValues({ ...values, [name]: value });
  };
  const start = async (): Promise<void> => {
    try {
      const { id } = await post<StartedRun>('/api/runs', requestOf(values));
      say({ kind: 'done', text: `Started ${id}.` });
      location.hash = runAddress(id);
    } catch (error) {
      setProblem(error instanceof ApiFailure ? error.message : String(error));
    }
  };
  if (!may) return <><h1>Start a run</h1><Notice title="You may look, but not start runs.">That needs the role operator.</Notice></>;
  return (
    <>
      <h1>Start a run</h1>
      <Form button="Start" onSend={start} problem={problem}>
        <Field label="Agent">
          {(id) => <><input id={id} type="text" list="agents" required value={values.agent} onInput={(event) => set('agent')(event.currentTarget.value)} /><datalist id="agents">{agents.map((name) => <option key={name} value={name} />)}</datalist></>}
        </Field>
        <TextField label="Task" value={values.task} onValue={set('task')} lines={4} required />
        <TextField label="Constraints" hint="(one a line, may be left out)" value={values.constraints} onValue={set('constraints')} lines={2} />
        <TextField label="Id" hint="(made when left out; the same one is never started twice)" value={values.id} onValue={set('id')} />
        <fieldset class="limits">
          <legend>Limits (the agent's own where left out)</legend>
          <Field label="Turns">{(id) => <input id={id} type="number" min="1" value={values.turns} onInput={(event) => set('turns')(event.currentTarget.value)} />}</Field>
          <Field label="Budget">{(id) => <input id={id} type="number" min="0" step="any" value={values.amount} onInput={(event) => set('amount')(event.currentTarget.value)} />}</Field>
          <Field label="Currency, or tokens">{(id) => <input id={id} type="text" value={values.currency} onInput={(event) => set('currency')(event.currentTarget.value)} />}</Field>
          <Field label="Active seconds">{(id) => <input id={id} type="number" min="1" value={values.seconds} onInput={(event) => set('seconds')(event.currentTarget.value)} />}</Field>
        </fieldset>
      </Form>
    </>
  );
}

function requestOf({ agent, task, constraints, id, turns, amount, currency, seconds }: Readonly<Record<'agent' | 'task' | 'constraints' | 'id' | 'turns' | 'amount' | 'currency' | 'seconds', string>>): object {
  const rules = constraints.split('\n').map((line) => line.trim()).filter(Boolean);
  const budget = currency.trim().toLowerCase() === 'tokens' ? { kind: 'tokens', tokens: Number(amount) } : { kind: 'money', money: { amount, currency: currency.trim().toUpperCase() } };
  const limits = { ...(turns ? { turns: Number(turns) } : {}), ...(amount ? { budget } : {}), ...(seconds ? { timeMs: Number(seconds) * 1_000 } : {}) };
  return {
    agent, task, ...(rules.length > 0 ? { constraints: rules } : {}), ...(id.trim() ? { id: id.trim() } : {}), ...(Object.keys(limits).length > 0 ? { limits } : {}),
  };
}
