import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { InboxEntry } from '../../../client/inbox-entry.ts';
import type { RunView } from '../../api/run-view.ts';
import { get } from '../api.ts';
import { Age, Failure, Notice, Who } from '../parts/bits.tsx';
import { HeldCall } from '../parts/held-call.tsx';
import { RiskMark } from '../parts/risk.tsx';
import type { HeldAct } from '../parts/held-call.tsx';
import { Doubt, Question, RunActs } from '../parts/run-acts.tsx';
import { useMay, useMe } from '../me.ts';
import { runAddress } from '../route.ts';
import { useStream } from '../use-live.ts';
import { goalOf, spentWords, thoughtOf } from '../run-words.ts';
import { moneyWords } from '../words.ts';

const KEYS: Readonly<Record<string, HeldAct>> = { a: 'approve', e: 'edit', r: 'reject' };

/** What waits for a person, the oldest first. */
export function InboxView() {
  const { value, failure, atMs } = useStream<{ readonly entries: readonly InboxEntry[] }>('/api/inbox/events', 'inbox');
  const [chosen, setChosen] = useState<string | undefined>();
  const [wanted, setWanted] = useState<{ readonly act: HeldAct } | undefined>();
  const [decided, setDecided] = useState<string | undefined>();
  const last = useRef(0);
  const entries = value?.entries ?? [];
  const at = entries.findIndex((entry) => keyOf(entry) === chosen);
  const entry = entries[at];
  if (at >= 0) last.current = at;
  useEffect(() => {
    // Only what the person decided themselves gives way to the next: another call must not come under their hand.
    const first = entries[0];
    if (first && (chosen === undefined || (at < 0 && chosen === decided))) setChosen(keyOf(first));
  });
  // Before the next key can come: what is shown as chosen is what a key means.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step !== 0) setChosen((now) => keyBeside(entries, { now, step, last: last.current }));
      const act = KEYS[event.key];
      if (act && entry?.kind === 'approval') {
        event.preventDefault();
        setWanted({ act });
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  return (
    <>
      <h1>Inbox{entries.length > 0 ? <span class="count">{entries.length}</span> : null}</h1>
      {failure ? <Failure failure={failure} old={value ? atMs : undefined} /> : null}
      {value && entries.length === 0 ? <Empty /> : null}
      {!value && !failure ? <p class="quiet">Looking …</p> : null}
      {entries.length > 0 ? (
        <div class="split">
          <div>
            <p class="keys"><kbd>j</kbd> next · <kbd>k</kbd> previous · <kbd>a</kbd> approve · <kbd>e</kbd> edit · <kbd>r</kbd> reject</p>
            <ul class="entries">
              {entries.map((one) => <Row key={keyOf(one)} entry={one} isChosen={one === entry} onChoose={() => { setWanted(undefined); setChosen(keyOf(one)); }} />)}
            </ul>
          </div>
          {entry ? <Detail key={keyOf(entry)} entry={entry} wanted={wanted} onDone={() => { setWanted(undefined); setDecided(keyOf(entry)); }} /> : <Gone chosen={chosen} />}
        </div>
      ) : null}
    </>
  );
}

/** Where a step up or down leads; from what is gone, to what took its place. */
function keyBeside(entries: readonly InboxEntry[], { now, step, last }: { readonly now: string | undefined; readonly step: number; readonly last: number }): string | undefined {
  const at = entries.findIndex((entry) => keyOf(entry) === now);
  const next = entries[at >= 0 ? at + step : Math.min(last, entries.length - 1)];
  return next ? keyOf(next) : now;
}

export function keyOf(entry: InboxEntry): string {
  const part = entry.kind === 'approval' || entry.kind === 'outcome' ? entry.call : entry.kind === 'question' ? entry.question.call : '';
  return `${entry.run} ${entry.kind} ${part}`;
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** What was chosen waits no more, and not because of this person. */
function Gone({ chosen }: { readonly chosen: string | undefined }) {
  const run = chosen?.split(' ')[0];
  return run ? <Notice title="This does not wait any more.">Somebody decided it, or its run went on: <a href={runAddress(run)}>its run tells who and when</a>. Choose another one.</Notice> : null;
}

function Empty() {
  return (
    <Notice title="Nothing waits for you.">
      This page stays up to date by itself. <a href="#/start">Start a run</a>, or look at <a href="#/runs">all runs</a>.
    </Notice>
  );
}

const KIND_WORDS: Readonly<Record<InboxEntry['kind'], string>> = {
  approval: 'Approval', question: 'Question', outcome: 'Outcome unknown', hand_over: 'Hand-over', taken_over: 'Taken over', paused: 'Paused',
};

function titleOf(entry: InboxEntry): string {
  switch (entry.kind) {
    case 'approval': return entry.summary ?? entry.tool;
    case 'question': return entry.question.question;
    case 'outcome': return `Did ${entry.tool} happen?`;
    case 'hand_over': return entry.reason || 'The run waits for a person.';
    case 'taken_over': return `${entry.heldBy?.name ?? 'Somebody'} holds the run`;
    case 'paused': return 'The run is paused';
  }
}

/** Two calls of one kind look alike: the run's id tells them apart. A made id begins with the agent's name. */
function placeOf({ run, agent }: InboxEntry): string {
  return agent === undefined || run.startsWith(agent) ? run : `${agent} · ${run}`;
}

function Row({ entry, isChosen, onChoose }: { readonly entry: InboxEntry; readonly isChosen: boolean; readonly onChoose: () => void }) {
  return (
    <li>
      <button type="button" class={`entry ${entry.kind}`} aria-current={isChosen ? 'true' : undefined} onClick={onChoose}>
        <span class="top"><span class="kind">{KIND_WORDS[entry.kind]}</span>{entry.kind === 'approval' ? <RiskMark risk={entry.risk} /> : null}{entry.kind === 'approval' && entry.amount ? <span class="amount">{moneyWords(entry.amount)}</span> : null}</span>
        <span class="title">{titleOf(entry)}</span>
        <span class="quiet">{placeOf(entry)} · waits <Age ms={entry.sinceMs} lasting />{entry.kind === 'approval' ? <> · decide <Age ms={entry.deadlineMs} until /></> : null}</span>
      </button>
    </li>
  );
}

interface DetailProps {
  readonly entry: InboxEntry;
  readonly wanted: { readonly act: HeldAct } | undefined;
  readonly onDone: () => void;
}

function Detail({ entry, wanted, onDone }: DetailProps) {
  const [run, setRun] = useState<RunView | undefined>();
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    get<RunView>(`/api/runs/${encodeURIComponent(entry.run)}`, left.signal).then(setRun, () => undefined).finally(() => setLoaded(true));
    return () => left.abort();
  }, [entry.run, entry.kind === 'approval' ? entry.argsHash : '']);
  const isOperator = useMay('operator');
  const goal = run && goalOf(run);
  return (
    <article class="detail" aria-label={KIND_WORDS[entry.kind]}>
      <p class="quiet">
        {KIND_WORDS[entry.kind]} · <a href={runAddress(entry.run)}>{entry.run}</a>{entry.agent ? ` · ${entry.agent}` : ''}{entry.requestedBy ? ` · asked for by ${entry.requestedBy}` : ''} · has waited <Age ms={entry.sinceMs} lasting />
      </p>
      {loaded ? goal ? <p class="goal"><span class="quiet">Task:</span> <span class="said">{goal}</span></p> : null : <p class="goal quiet">Reading the run …</p>}
      {entry.source === 'record' ? <Notice title="No worker answers for this run." kind="warn">This is what its record tells. A decision is kept and applied as soon as a worker is up: caseworker dev.</Notice> : null}
      <What entry={entry} run={run} wanted={wanted} onDone={onDone} />
      {isOperator && run?.progress ? <><h4>The run as a whole</h4><RunActs run={entry.run} progress={run.progress} onDone={onDone} /></> : null}
    </article>
  );
}

function What({ entry, run, wanted, onDone }: DetailProps & { readonly run: RunView | undefined }) {
  const isApprover = useMay('approver');
  const isOperator = useMay('operator');
  const { person } = useMe();
  switch (entry.kind) {
    case 'approval':
      return <HeldCall run={entry.run} held={entry} evidence={run?.evidence[entry.call] ?? []} thought={run && thoughtOf(run, entry.call)} spent={run && spentWords(run)} wanted={wanted} hasKeys mayDecide={isApprover} onDone={onDone}
        onPlace={(place) => { location.hash = runAddress(entry.run, place.of === 'observation' ? place.call : place.of); }} />;
    case 'question': return <Question run={entry.run} question={entry.question} mayAnswer={isApprover} onDone={onDone} />;
    case 'outcome': return <Doubt run={entry.run} doubt={entry} maySettle={isOperator} onDone={onDone} />;
    case 'hand_over': return (
      <section><h3>{titleOf(entry)}</h3>{entry.queue ? <p>For the queue <strong>{entry.queue}</strong>.</p> : null}
        {entry.handOver ? <><Steps title="Done" steps={entry.handOver.done} /><Steps title="In doubt" steps={entry.handOver.inDoubt} /><Lines title="What remains" lines={entry.handOver.remains} />
          <p><a href={`#/package/${encodeURIComponent(entry.run)}`}>The whole package, to print</a></p></> : null}
      </section>
    );
    case 'taken_over': return <section><h3>{entry.heldBy?.name === person.name ? 'You hold this run' : titleOf(entry)}</h3>{entry.heldBy ? <p><Who person={entry.heldBy} /></p> : null}</section>;
    case 'paused': return <section><h3>{titleOf(entry)}</h3></section>;
  }
}

interface StepsProps {
  readonly title: string;
  readonly steps: readonly { readonly call: string; readonly tool: string; readonly outcome: string }[];
}

function Steps({ title, steps }: StepsProps) {
  return steps.length === 0 ? null : <><h4>{title}</h4><ul>{steps.map((step) => <li key={step.call}><code>{step.tool}</code> ({step.call}): <span class="said">{step.outcome}</span></li>)}</ul></>;
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return lines.length === 0 ? null : <><h4>{title}</h4><ul>{lines.map((line) => <li key={line}>{line}</li>)}</ul></>;
}
