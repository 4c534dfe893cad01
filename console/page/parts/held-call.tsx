import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../../../core/json.ts';
import type { HeldView } from '../../../core/run.ts';
import type { EvidenceLink, Place } from '../../api/evidence-links.ts';
import { decide } from '../said.ts';
import { moneyWords, timeWords } from '../words.ts';
import { Arguments } from './arguments.tsx';
import { Age, Who } from './bits.tsx';
import { EditArguments, Form, TextField } from './forms.tsx';

export type HeldAct = 'approve' | 'edit' | 'reject' | 'respond';

interface HeldCallProps {
  readonly run: string;
  readonly held: HeldView;
  readonly evidence?: readonly EvidenceLink[];
  readonly onPlace?: (place: Place) => void;
  readonly onDone?: () => void;
  readonly mayDecide: boolean;
  /** The keys mean this call. */
  readonly hasKeys?: boolean;
  /** What a key asked for; a new object each time. */
  readonly wanted?: { readonly act: HeldAct } | undefined;
}

/** A held call: what it will do, why a person is asked, what was checked, and the four decisions. */
export function HeldCall(props: HeldCallProps) {
  const { run, held, evidence = [], onPlace, onDone, mayDecide, wanted, hasKeys = false } = props;
  const [act, setAct] = useState<HeldAct | undefined>();
  useEffect(() => setAct(undefined), [held.argsHash]);
  useEffect(() => { if (wanted && mayDecide) setAct(wanted.act); }, [wanted]);
  const done = (): void => {
    setAct(undefined);
    onDone?.();
  };
  return (
    <section class="held" aria-label={`Held call ${held.call}`}>
      <h3>{held.summary ?? held.tool}</h3>
      <dl class="facts">
        <div><dt>Tool</dt><dd><code>{held.tool}</code> ({held.call})</dd></div>
        {held.amount ? <div><dt>Amount</dt><dd class="amount">{moneyWords(held.amount)}</dd></div> : null}
        <div><dt>Why you are asked</dt><dd>{held.why}</dd></div>
        <div class="wide"><dt>Deadline</dt><dd><Age ms={held.deadlineMs} until />, {timeWords(held.deadlineMs)}. Then it does not run, and the run is handed over.</dd></div>
        {held.orderedBy ? <div><dt>Ordered by</dt><dd><Who person={held.orderedBy} /></dd></div> : null}
        <div><dt>Who may approve</dt><dd>{held.roles.length > 0 ? held.roles.join(' or ') : 'whoever may approve here'}{held.fourEyes ? ', but nobody who asked for the run or changed the call (four eyes)' : ''}</dd></div>
      </dl>
      <h4>What will run</h4>
      <Arguments args={held.args} before={held.original} evidence={evidence} {...(onPlace ? { onPlace } : {})} />
      <h4>Checked</h4>
      <ul class="checks">
        <li>The arguments fit the tool's schema.</li>
        <li>{evidence.length === 0 ? 'Fields that hold an id hold one that this run has seen.' : `Every field marked as an id was seen in this run; ${evidence.filter(({ places }) => places.length > 0).length} of ${evidence.length} ids and numbers are traced above.`}</li>
        <li>{held.why.startsWith('already') || held.why.startsWith('the same call') ? `Careful: ${held.why}.` : 'This run has made no equal call.'}</li>
        <li>What runs is bound to exactly these arguments (<code>{held.argsHash.slice(0, 12)}</code>), and runs once.</li>
      </ul>
      {mayDecide ? <Decision hasKeys={hasKeys} act={act} onAct={setAct} onDone={done} run={run} held={held} /> : <p class="quiet">You may look, but not decide.</p>}
    </section>
  );
}

interface DecisionProps {
  readonly hasKeys: boolean;
  readonly act: HeldAct | undefined;
  readonly onAct: (act: HeldAct | undefined) => void;
  readonly onDone: () => void;
  readonly run: string;
  readonly held: HeldView;
}

function Decision({ hasKeys, act, onAct, onDone, run, held }: DecisionProps) {
  const key = (name: string) => (hasKeys ? <> <kbd>{name}</kbd></> : null);
  if (act === undefined) {
    return (
      <div class="buttons decision">
        <button type="button" class="primary" onClick={() => onAct('approve')}>Approve{key('a')}</button>
        <button type="button" onClick={() => onAct('edit')}>Edit{key('e')}</button>
        <button type="button" class="danger" onClick={() => onAct('reject')}>Reject{key('r')}</button>
        <button type="button" onClick={() => onAct('respond')}>Respond instead</button>
      </div>
    );
  }
  return <DecisionForm key={`${act}${held.argsHash}`} hasKeys={hasKeys} act={act} onAct={onAct} onDone={onDone} run={run} held={held} />;
}

const BUTTONS: Readonly<Record<HeldAct, string>> = {
  approve: 'Approve: run it now', edit: 'Run with these arguments', reject: 'Reject: do not run it', respond: 'Answer instead of the tool',
};

function DecisionForm({ act, onAct, onDone, run, held }: DecisionProps & { readonly act: HeldAct }) {
  const [text, setText] = useState('');
  const [args, setArgs] = useState<JsonObject | undefined>(held.args);
  const isChanged = JSON.stringify(args) !== JSON.stringify(held.args);
  const problem = act === 'edit' ? (args === undefined ? 'A field cannot be read.' : isChanged ? undefined : 'Nothing is changed yet.') : undefined;
  const body = { call: held.call, argsHash: held.argsHash, ...(act === 'edit' ? { args } : {}), ...(text === '' ? {} : { [act === 'respond' ? 'text' : 'reason']: text }) };
  return (
    <Form button={BUTTONS[act]} danger={act === 'reject'} problem={problem} onCancel={() => onAct(undefined)} onSend={async () => { if (await decide(run, act, body)) onDone(); }}>
      {act === 'edit' ? <EditArguments args={held.args} onArgs={setArgs} /> : null}
      {act === 'edit' && args && isChanged ? <><h4>Your change</h4><Arguments args={args} before={held.args} /></> : null}
      <TextField label={act === 'reject' ? 'Reason' : act === 'respond' ? 'What the model is told' : 'Why'} hint={act === 'reject' ? '(the model reads it)' : act === 'respond' ? '' : '(may be left out)'}
        value={text} onValue={setText} lines={act === 'approve' ? 1 : 2} required={act === 'reject' || act === 'respond'} autofocus={act !== 'edit'} />
    </Form>
  );
}
