import { useState } from 'preact/hooks';
import type { Switch } from '../../../client/switches.ts';
import { ApiFailure, post } from '../api.ts';
import { useMay, useMe } from '../me.ts';
import { Failure, Moment, Notice } from '../parts/bits.tsx';
import { Field, Form, TextField } from '../parts/forms.tsx';
import { say } from '../said.ts';
import { useRead } from '../use-live.ts';

/** Agents and tools that are switched off, and the way to do it. */
export function SwitchesView() {
  const { value, failure, again } = useRead<{ readonly switches: readonly Switch[] }>('/api/switches');
  const may = useMay('operator');
  const all = value?.switches ?? [];
  const off = all.filter((one) => one.off);
  const earlier = all.filter((one) => !one.off);
  return (
    <>
      <h1>Switches</h1>
      <p class="quiet">What is off is not used any more, not even by runs that are under way: at their next step they go to a person.</p>
      {failure ? <Failure failure={failure} /> : null}
      {value && off.length === 0 ? <Notice title="Every agent and every tool is on." /> : null}
      {off.map((one) => <Off key={nameOf(one)} one={one} may={may} onDone={again} />)}
      {may ? <SwitchOff onDone={again} /> : <p class="quiet">To switch something needs the role operator.</p>}
      {earlier.length > 0 ? <><h2>On again</h2><ul>{earlier.map((one) => <li key={nameOf(one)}><code>{nameOf(one)}</code> since <Moment ms={one.atMs} />, by {one.by}{one.reason ? `: ${one.reason}` : ''}</li>)}</ul></> : null}
    </>
  );
}

function nameOf({ agent, tool }: Pick<Switch, 'agent' | 'tool'>): string {
  return tool === undefined ? agent : `${agent}: ${tool}`;
}

interface OffProps {
  readonly one: Switch;
  readonly may: boolean;
  readonly onDone: () => void;
}

function Off({ one, may, onDone }: OffProps) {
  const { agent, tool, by, reason, atMs } = one;
  return (
    <section class="notice warn" aria-label={nameOf(one)}>
      <strong>{tool === undefined ? <>The agent <code>{agent}</code> is off.</> : <>The tool <code>{tool}</code> of <code>{agent}</code> is off.</>}</strong>
      <div>{by} switched it off on <Moment ms={atMs} />: <span class="said">{reason}</span></div>
      {may ? <div class="buttons"><button type="button" onClick={() => void change({ agent, ...(tool === undefined ? {} : { tool }), off: false }, onDone)}>Switch on again</button></div> : null}
    </section>
  );
}

function SwitchOff({ onDone }: { readonly onDone: () => void }) {
  const { agents } = useMe();
  const nothing = { agent: '', tool: '', reason: '' };
  const [{ agent, tool, reason }, setValues] = useState(nothing);
  const set = (change: Partial<typeof nothing>): void => setValues({ agent, tool, reason, ...change });
  const send = (): Promise<void> => change({ agent, ...(tool.trim() === '' ? {} : { tool: tool.trim() }), off: true, reason }, () => {
    setValues(nothing);
    onDone();
  });
  return (
    <>
      <h2>Switch off</h2>
      <Form button="Switch off" danger onSend={send}>
        <Field label="Agent">{(id) => <><input id={id} type="text" list="agents" required value={agent} onInput={(event) => set({ agent: event.currentTarget.value })} /><datalist id="agents">{agents.map((name) => <option key={name} value={name} />)}</datalist></>}</Field>
        <TextField label="Tool" hint="(left empty: all of them)" value={tool} onValue={(value) => set({ tool: value })} />
        <TextField label="Reason" hint="(whoever gets its runs reads it)" value={reason} onValue={(value) => set({ reason: value })} required />
      </Form>
    </>
  );
}

async function change(body: object, done: () => void): Promise<void> {
  try {
    const one = await post<Switch>('/api/switches', body);
    say({ kind: 'done', text: `${nameOf(one)} is ${one.off ? 'off' : 'on'}.` });
    done();
  } catch (error) {
    say({ kind: 'refused', text: error instanceof ApiFailure ? error.message : String(error) });
  }
}
