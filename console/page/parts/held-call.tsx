import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../../../core/json.ts';
import type { HeldView } from '../../../core/run.ts';
import { riskOf } from '../../../client/risk.ts';
import type { EvidenceLink, Place } from '../../api/evidence-links.ts';
import { decide, say } from '../said.ts';
import { moneyWords, timeWords } from '../words.ts';
import { Arguments } from './arguments.tsx';
import { Age, Who } from './bits.tsx';
import { Checked } from './checked.tsx';
import { EditArguments, Form, TextField } from './forms.tsx';
import { RiskMark, RiskReasons } from './risk.tsx';

export type HeldAct = 'approve' | 'edit' | 'reject' | 'respond';

interface HeldCallProps {
  readonly run: string;
  readonly held: HeldView;
  readonly evidence?: readonly EvidenceLink[];
  /** What the model thought when it asked for the call. */
  readonly thought?: string | undefined;
  /** What the run has used of its limits. */
  readonly spent?: string | undefined;
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
  const { run, held, thought, spent, evidence = [], onPlace, onDone, mayDecide, wanted, hasKeys = false } = props;
  const [act, setAct] = useState<HeldAct | undefined>();
  useEffect(() => setAct(undefined), [held.argsHash]);
  const open = (next: HeldAct | undefined): void => {
    // What became of an earlier act would read as if it were said of the form that opens.
    if (next) say(undefined);
    setAct(next);
  };
  useEffect(() => { if (wanted && mayDecide) open(wanted.act); }, [wanted]);
  const risk = riskOf(held);
  const done = (): void => {
    setAct(undefined);
    onDone?.();
  };
  return (
    <section class="held" aria-label={`Held call ${held.call}`}>
      <h3>{held.summary ?? held.tool}</h3>
      {thought && !held.orderedBy ? <p class="thought"><span class="quiet">What the agent thought:</span> <span class="said">{thought}</span></p> : null}
      <div class={`risk ${risk.level}`} role="group" aria-label="Risk"><RiskMark risk={risk} /><RiskReasons risk={risk} /></div>
      <dl class="facts">
        {held.amount ? <div><dt>Amount</dt><dd class="amount">{moneyWords(held.amount)}</dd></div> : null}
        <div class="wide"><dt>Decide by</dt><dd>{timeWords(held.deadlineMs)} (<Age ms={held.deadlineMs} until />). After that it does not run, and the run goes to a person.</dd></div>
        <div><dt>Why you are asked</dt><dd>{held.why}</dd></div>
        <div><dt>Who may approve</dt><dd>{deciders(held)}</dd></div>
        <div><dt>Tool</dt><dd><code>{held.tool}</code> ({held.call})</dd></div>
        {held.orderedBy ? <div><dt>Ordered by</dt><dd><Who person={held.orderedBy} /></dd></div> : null}
        {held.editedBy ? <div><dt>Changed by</dt><dd><Who person={held.editedBy} /></dd></div> : null}
      </dl>
      <div class="two">
        <div><h4>What will run</h4><Arguments args={held.args} before={held.original} evidence={evidence} {...(onPlace ? { onPlace } : {})} /></div>
        <div><h4>What was checked</h4><Checked held={held} spent={spent} /></div>
      </div>
      {mayDecide ? <Decision hasKeys={hasKeys} act={act} onAct={open} onDone={done} run={run} held={held} /> : <p class="quiet">You may look, but not decide.</p>}
    </section>
  );
}

function deciders({ roles, fourEyes, excluded = [], fromRecord }: HeldView): string {
  if (fromRecord) return 'the run knows, and no worker answers for it now';
  const who = roles.length > 0 ? roles.join(' or ') : 'whoever may approve here';
  return fourEyes ? `${who}, but nobody who had a hand in it (${excluded.join(', ') || 'four eyes'})` : who;
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
        <button type="button" onClick={() => onAct('respond')}>Respond<span class="on-desk"> instead</span></button>
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
