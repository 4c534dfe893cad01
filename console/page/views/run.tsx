import { isSameName } from '../../../core/approvals.ts';
import type { RunProgress } from '../../../core/run.ts';
import type { EffectLine } from '../../../client/types.ts';
import type { RunView } from '../../api/run-view.ts';
import { Age, CopyButton, Failure, Moment, Notice, Status, Who } from '../parts/bits.tsx';
import { HeldCall } from '../parts/held-call.tsx';
import { Doubt, Question, RunActs } from '../parts/run-acts.tsx';
import { Spent, SpentByTurn } from '../parts/spent.tsx';
import { Table } from '../parts/table.tsx';
import { TraceList } from '../parts/trace.tsx';
import { useMay, useMe } from '../me.ts';
import { runAddress } from '../route.ts';
import { decide } from '../said.ts';
import { useFollowed } from '../use-live.ts';
import { changedTask, spentWords, thoughtOf } from '../run-words.ts';
import { traceMarkdown } from '../trace-markdown.ts';
import { turnFigures } from '../turn-figures.ts';
import { EFFECT_WORDS } from '../words.ts';

/** One run: how it stands, what it wants of persons, and its trace; it follows a run that goes on. */
export function RunViewPage({ id, at }: { readonly id: string; readonly at: string | undefined }) {
  const path = `/api/runs/${encodeURIComponent(id)}`;
  const { value: run, failure, atMs, again } = useFollowed<RunView>(path, `${path}/trace/events`);
  return (
    <>
      <h1 class="run-id">{id}{run ? <Status run={run.summary} /> : null}</h1>
      {failure ? <Failure failure={failure} old={run ? atMs : undefined} /> : null}
      {!run && !failure ? <p class="quiet">Reading …</p> : null}
      {run ? <Whole run={run} at={at} again={again} /> : null}
    </>
  );
}

interface WholeProps {
  readonly run: RunView;
  readonly at: string | undefined;
  readonly again: () => void;
}

function Whole({ run, at, again }: WholeProps) {
  const { summary, progress, result, trace, unread, webUi, noWorker, effects } = run;
  const usage = result?.usage ?? progress?.usage;
  const budget = progress?.budget ?? result?.limits?.budget;
  const limits = progress?.limits ?? result?.limits;
  const turns = turnFigures(trace.entries);
  const handOver = result?.handOver ?? progress?.handOver;
  const currency = usage?.cost?.currency ?? (budget?.kind === 'money' ? budget.money.currency : undefined);
  return (
    <>
      <p class="quiet">
        {summary.agent} · started <Moment ms={summary.startedAtMs} />{summary.closedAtMs ? <> · ended <Moment ms={summary.closedAtMs} /></> : null}{summary.requestedBy ? ` · asked for by ${summary.requestedBy}` : ''}
        {summary.forkedFrom ? ` · copied from ${summary.forkedFrom}` : ''}
      </p>
      <p class="tools">
        {handOver ? <a class="button small" href={`#/package/${encodeURIComponent(summary.id)}`}>Hand-over package</a> : null}
        {webUi ? <a class="button small" href={webUi} target="_blank" rel="noreferrer">Temporal's Web UI</a> : null}
        <CopyButton label="Copy as Markdown" text={() => traceMarkdown(run)} /><CopyButton label="Copy as JSON" text={() => JSON.stringify(run, undefined, 2)} />
      </p>
      {noWorker ? <Notice title="No worker answers for this run." kind="warn">It goes on as soon as one is up: caseworker dev, or caseworker worker beside a cluster. What it has done so far is below. What waits for a decision is in the <a href="#/inbox">inbox</a>; a decision is kept until then.</Notice> : null}
      <TaskNow run={run} />
      {usage ? <Spent usage={usage} limits={limits} budget={budget} waitsSinceMs={progress?.waitingSinceMs} /> : null}
      {usage && turns.length > 0 ? <SpentByTurn turns={turns} usage={usage} limits={limits} budget={budget} currency={currency} /> : null}
      <Waits run={run} again={again} />
      {effects.length > 0 ? <Effects effects={effects} /> : null}
      <h2>Trace</h2>
      <TraceList run={summary.id} entries={trace.entries} unread={unread} at={at} currency={currency} turns={turns} />
    </>
  );
}

/** A run that was given another goal works on that one, and its trace begins with the old one. */
function TaskNow({ run }: { readonly run: RunView }) {
  const changed = changedTask(run);
  if (!changed) return null;
  const { goal, constraints, last } = changed;
  return (
    <section class="goal" aria-label="Task now">
      {goal === undefined ? null : <div><span class="quiet">Goal now:</span> <span class="said">{goal}</span></div>}
      {constraints?.map((rule) => <div key={rule}><span class="quiet">Rule now:</span> <span class="said">{rule}</span></div>)}
      {constraints?.length === 0 ? <div class="quiet">No rules any more.</div> : null}
      {last ? <div class="quiet">Changed by <Who person={last.by} />{last.atMs === undefined ? null : <>, <Moment ms={last.atMs} /></>}. The trace begins with the first task.</div> : null}
    </section>
  );
}

function Waits({ run, again }: { readonly run: RunView; readonly again: () => void }) {
  const { summary: { id }, progress, evidence } = run;
  const isApprover = useMay('approver');
  const isOperator = useMay('operator');
  if (!progress) return null;
  const last = progress.stops.at(-1);
  const waits = progress.status === 'handed_over' || progress.status === 'taken_over';
  return (
    <section class="waits" aria-label="What it waits for">
      {waits && last ? <Notice title={last.text}>{progress.takenOverBy ? <>Held by <Who person={progress.takenOverBy} />.</> : <>Stopped <Age ms={last.atMs} />.</>}</Notice> : null}
      {(progress.held ?? []).map((held) => (
        <HeldCall key={held.call} run={id} held={held} evidence={evidence[held.call] ?? []} thought={thoughtOf(run, held.call)} spent={spentWords(run)} mayDecide={isApprover} onDone={again}
          onPlace={(place) => { location.hash = runAddress(id, place.of === 'observation' ? place.call : place.of); }} />
      ))}
      {progress.question ? <Question run={id} question={progress.question} mayAnswer={isApprover} onDone={again} /> : null}
      {(progress.doubts ?? []).map((doubt) => <Doubt key={doubt.call} run={id} doubt={doubt} maySettle={isOperator} onDone={again} />)}
      {progress.todo && progress.todo.length > 0 ? <Todo run={id} progress={progress} onDone={again} /> : null}
      {isOperator ? <RunActs run={id} progress={progress} onDone={again} /> : null}
    </section>
  );
}

interface TodoProps {
  readonly run: string;
  readonly progress: Pick<RunProgress, 'todo' | 'takenOverBy'>;
  readonly onDone: () => void;
}

/** Whoever holds the run ticks items off; the agent does it by itself when it has the run. */
function Todo({ run, progress: { todo = [], takenOverBy }, onDone }: TodoProps) {
  const { person } = useMe();
  const isHolder = useMay('operator') && takenOverBy !== undefined && isSameName(takenOverBy.name, person.name);
  const tick = async (position: number): Promise<void> => { if (await decide(run, 'todo', { done: [position] })) onDone(); };
  return (
    <>
      <h3>To do</h3>
      <ol class="todo">
        {todo.map((one, i) => (
          <li key={i} class={one.done ? 'done' : ''}>
            {one.done ? '✓ ' : ''}<span class="said">{one.text}</span>{isHolder && !one.done ? <button type="button" class="small" aria-label={`Tick off: ${one.text}`} onClick={() => void tick(i + 1)}>Tick off</button> : null}
          </li>
        ))}
      </ol>
    </>
  );
}

function Effects({ effects }: { readonly effects: readonly EffectLine[] }) {
  return (
    <>
      <h2>Effects</h2>
      <Table label="Effects" columns={['Call', 'Tool', 'Outcome', 'Attempts', 'Approved by', 'Settled by']} rows={effects.map(({ call, tool, outcome, attempts, approvedBy, settledBy }) => ({
        key: call,
        cells: [
          call, <code>{tool}</code>, <span class={`status ${outcome === 'ok' || outcome === 'earlier' ? 'good' : outcome === 'error' ? 'bad' : 'waits'}`}>{EFFECT_WORDS[outcome]}</span>, attempts,
          approvedBy ? <Who person={approvedBy.person} /> : undefined, settledBy ? <Who person={settledBy.person} /> : undefined,
        ],
      }))} />
    </>
  );
}
