import { useEffect, useState } from 'preact/hooks';
import { personText } from '../../../core/prompt-items.ts';
import type { Action, Item, ObservationItem, ReplyItem } from '../../../core/transcript.ts';
import { elsewhereText } from '../../../client/elsewhere-text.ts';
import type { TraceEntry } from '../../../client/types.ts';
import { get } from '../api.ts';
import { say } from '../said.ts';
import type { TurnFigures } from '../turn-figures.ts';
import { clockWords, END_WORDS, moneyWords, numberWords, OBSERVED_WORDS, spanWords, STATUS_WORDS, timeWords } from '../words.ts';
import { Arguments, valueText } from './arguments.tsx';
import { Who } from './bits.tsx';

interface TraceProps {
  readonly run: string;
  readonly entries: readonly TraceEntry[];
  /** What persons did that the run has not taken into its record. */
  readonly unread?: readonly TraceEntry[];
  /** A call, `task` or `person`: shown first, and marked. */
  readonly at?: string | undefined;
  readonly currency?: string | undefined;
  readonly turns: readonly TurnFigures[];
}

/** What happened, line by line, in the order in which it did. */
export function TraceList({ run, entries, unread = [], at, currency, turns }: TraceProps) {
  useEffect(() => {
    if (at) document.getElementById(`at-${at}`)?.scrollIntoView({ block: 'center' });
  }, [at, entries.length > 0]);
  const shown = [...shownEntries(entries), ...unread];
  return (
    <ol class="trace" aria-label="Trace">
      {shown.map((entry, i) => (
        <li key={i} id={`at-${anchorOf(entry, i)}`} class={at !== undefined && anchorOf(entry, i) === at ? 'marked' : ''}>
          <Entry run={run} entry={entry} isUnread={unread.includes(entry)} currency={currency} turns={turns} />
        </li>
      ))}
    </ol>
  );
}

/** A call's start says nothing once its observation is there; a wait is told by the entries around it. */
function shownEntries(entries: readonly TraceEntry[]): readonly TraceEntry[] {
  const observed = new Set(entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'observation' ? [entry.item.call] : [])));
  return entries.filter((entry) => !(entry.kind === 'call_started' && observed.has(entry.call)) && !(entry.kind === 'item' && entry.item.type === 'elided'));
}

function anchorOf(entry: TraceEntry, i: number): string {
  if (entry.kind !== 'item') return `e${i}`;
  const { item } = entry;
  if (item.type === 'observation') return item.call;
  return item.type === 'task' || item.type === 'person' ? item.type : `e${i}`;
}

interface EntryProps {
  readonly run: string;
  readonly entry: TraceEntry;
  readonly isUnread: boolean;
  readonly currency: string | undefined;
  readonly turns: readonly TurnFigures[];
}

function Entry({ run, entry, isUnread, currency, turns }: EntryProps) {
  switch (entry.kind) {
    case 'item': return <ItemView run={run} item={entry.item} isUnread={isUnread} atMs={entry.atMs} currency={currency} turns={turns} />;
    case 'call_started': return <Line kind="going" label={`Runs ${entry.call}`} atMs={entry.atMs}><code>{entry.tool}</code>{entry.attempt > 1 ? ` (attempt ${entry.attempt})` : ''} …</Line>;
    case 'attempt_failed': return (
      <Line kind="bad" label="Attempt failed" atMs={entry.atMs}>
        {entry.of.kind === 'model' ? 'the model call' : `${entry.of.tool} (${entry.of.call})`}, attempt {entry.attempt}: <span class="said">{entry.message}</span>
        {entry.retryAtMs ? ` Tried again at ${clockWords(entry.retryAtMs)}.` : entry.last ? ' Not tried again.' : ''}
      </Line>
    );
    case 'waiting': return <Line kind="waits" label="Waits" atMs={entry.atMs}>{STATUS_WORDS[entry.status]}</Line>;
    case 'unknown_item': return <Line kind="quiet" label={`#${entry.number}`}>An entry of a newer build ({entry.was}), which this page cannot read.</Line>;
    case 'missing': return <Line kind="bad" label="Missing">{`Entries ${entry.from}–${entry.to} are gone: ${entry.why}`}</Line>;
    case 'end': return <Line kind="end" label="Ended" atMs={entry.atMs}><strong>{END_WORDS[entry.result.endReason]}</strong>{entry.result.answer === undefined ? null : <div class="answer said">{valueText(entry.result.answer)}</div>}</Line>;
    case 'closed': return <Line kind="bad" label="Closed" atMs={entry.atMs}>{entry.how}, without a result. {entry.message}</Line>;
  }
}

interface LineProps {
  readonly kind: string;
  readonly label: string;
  readonly atMs?: number | undefined;
  readonly children?: preact.ComponentChildren;
}

function Line({ kind, label, atMs, children }: LineProps) {
  return (
    <div class={`line ${kind}`}>
      <div class="label">{label}{atMs === undefined ? null : <time dateTime={new Date(atMs).toISOString()} title={timeWords(atMs)}>{clockWords(atMs)}</time>}</div>
      <div class="body">{children}</div>
    </div>
  );
}

interface ItemProps {
  readonly run: string;
  readonly item: Item;
  readonly isUnread: boolean;
  readonly atMs: number | undefined;
  readonly currency: string | undefined;
  readonly turns: readonly TurnFigures[];
}

function ItemView({ run, item, isUnread, atMs = item.atMs, currency, turns }: ItemProps) {
  switch (item.type) {
    case 'task': return (
      <Line kind="task" label="Task" atMs={atMs}>
        <div class="said">{item.goal}</div>
        {item.constraints.map((rule) => <div key={rule} class="quiet said">Rule: {rule}</div>)}
        <div class="quiet">{item.agent.name} {item.agent.version} · {item.agent.model} · {item.agent.form}{item.by ? <> · asked for by <Who person={item.by} /></> : null}</div>
      </Line>
    );
    case 'reply': return <Reply item={item} atMs={atMs} currency={currency} sum={turns.findLast(({ turn }) => turn === item.turn)?.sum} />;
    case 'observation': return <Observation run={run} item={item} atMs={atMs} />;
    case 'nudge': return <Line kind="guard" label={`Nudge (${item.guard.replace('_', ' ')})`} atMs={atMs}><span class="said">{item.text}</span></Line>;
    case 'stop': return <Line kind={item.reason === 'final_answer' ? 'quiet' : 'guard'} label={`Stopped: ${END_WORDS[item.reason]}`} atMs={atMs}><span class="said">{item.text}</span>{item.detail ? <span class="quiet"> Cause: {item.detail.replaceAll('_', ' ')}.</span> : null}</Line>;
    case 'held': return <Line kind="waits" label={`Held ${item.call}`} atMs={atMs}>{item.facts.summary ?? item.tool}: {item.facts.why}.{item.facts.checks?.elsewhere ? ` ${elsewhereText(item.facts.checks.elsewhere)}` : ''} Decide by {timeWords(item.deadlineMs)}.{item.args ? <Arguments args={item.args} /> : null}</Line>;
    case 'person': return (
      <Line kind={item.refused ? 'bad' : 'person'} label={`${item.by.name}: ${item.verb}`} atMs={atMs}>
        {item.call ? <span>{item.call} </span> : null}{item.text === item.goal ? null : <span class="said">{item.text}</span>}{item.by.verified ? null : <span class="quiet"> (name not proven)</span>}
        {item.goal ? <div>Goal: <span class="said">{item.goal}</span></div> : null}
        {item.goal ? item.constraints?.map((rule) => <div key={rule}>Rule: <span class="said">{rule}</span></div>) : null}
        {item.args ? <Arguments args={item.args} /> : null}
        {isUnread && personText(item) !== undefined ? <div><span class="status small waits">not yet read by the agent</span></div> : null}
        {item.refused ? <div class="problem">Refused, because {item.refused}.</div> : null}
      </Line>
    );
    case 'summary': return <Line kind="quiet" label="Summary" atMs={atMs}>From here on the model sees this instead of what is above: <span class="said">{item.text}</span></Line>;
    case 'elided': return null;
  }
}

interface ReplyProps {
  readonly item: ReplyItem;
  readonly atMs: number | undefined;
  readonly currency: string | undefined;
  /** What the run had used by then. */
  readonly sum: TurnFigures['sum'] | undefined;
}

function Reply({ item, atMs, currency, sum }: ReplyProps) {
  const { usage, turn, thought, actions, notes } = item;
  return (
    <Line kind="reply" label={`Turn ${turn}`} atMs={atMs}>
      <p class="thought said">{thought ?? <span class="quiet">no thought given</span>}</p>
      {actions.map((action) => <ActionView key={action.id} action={action} />)}
      {notes.map((note, i) => <p key={i} class="note">{note.text}</p>)}
      <p class="usage quiet">
        {numberWords(usage.inputTokens)} tokens in, {numberWords(usage.outputTokens)} out{usage.cachedTokens > 0 ? ` (${numberWords(usage.cachedTokens)} cached)` : ''}
        {usage.cost !== undefined && currency ? ` · ${moneyWords({ amount: usage.cost, currency })}` : ''} · {spanWords(usage.ms)}{usage.attempts > 1 ? ` · ${usage.attempts} attempts` : ''} · {usage.model}
        {sum ? ` · so far ${numberWords(sum.tokens)} tokens${sum.cost !== undefined && currency ? `, ${moneyWords({ amount: String(sum.cost), currency })}` : ''}, ${spanWords(sum.ms)}` : ''}
      </p>
    </Line>
  );
}

function ActionView({ action }: { readonly action: Action }) {
  switch (action.kind) {
    case 'call': return <div class="action"><span class="call-id">{action.id}</span> <code>{action.tool}</code>{action.effect ? <>{' '}<span class={`effect ${action.effect}`}>{action.effect === 'once' ? 'changes something, once' : 'changes something'}</span></> : null}<Arguments args={action.args} /></div>;
    case 'invalid': return <div class="action bad"><span class="call-id">{action.id}</span> {action.problem.replace('_', ' ')}{action.tool ? <>: <code>{action.tool}</code></> : null}<pre class="said">{action.raw}</pre></div>;
    case 'final_answer': return <div class="action"><span class="call-id">{action.id}</span> answers: <span class="said">{valueText(action.answer)}</span>{action.problems.map((problem) => <div key={problem.value} class="problem">Not in the evidence: {problem.value} ({problem.kind})</div>)}</div>;
    case 'ask_person': return <div class="action"><span class="call-id">{action.id}</span> asks: <span class="said">{action.question}</span></div>;
    case 'hand_over': return <div class="action"><span class="call-id">{action.id}</span> hands over: <span class="said">{action.reason}</span>{action.queue ? ` (queue ${action.queue})` : ''}</div>;
    case 'update_todo': return <div class="action"><span class="call-id">{action.id}</span> to-do list<ul>{action.items.map((one, i) => <li key={i}>{one.done ? '✓ ' : ''}{one.text}</li>)}</ul></div>;
  }
}

function Observation({ run, item, atMs }: { readonly run: string; readonly item: ObservationItem; readonly atMs: number | undefined }) {
  const [whole, setWhole] = useState<string | undefined>();
  const load = async (): Promise<void> => {
    try {
      setWhole((await get<{ readonly text: string }>(`/api/runs/${encodeURIComponent(run)}/observations/${encodeURIComponent(item.call)}`)).text);
    } catch (error) {
      say({ kind: 'refused', text: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <Line kind={`observation ${item.status}`} label={`${item.call} ${OBSERVED_WORDS[item.status]}`} atMs={atMs}>
      <code>{item.tool}</code>{item.by ? <> by <Who person={item.by} /></> : null}
      <pre class="said">{whole ?? item.text}</pre>
      {item.more && whole === undefined ? <button type="button" class="small" onClick={() => void load()}>Show all {numberWords(item.more.chars)} characters</button> : null}
      {item.effect ? <p class="quiet">Effect {item.effect.kind}{item.effect.attempts ? `, ${item.effect.attempts} attempt${item.effect.attempts === 1 ? '' : 's'}` : ''}{item.effect.key ? <> · key <code>{item.effect.key.slice(0, 16)}</code></> : null}</p> : null}
    </Line>
  );
}
