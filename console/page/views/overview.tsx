import { useEffect, useRef, useState } from 'preact/hooks';
import type { AgentFigures, EndCount, Overview } from '../../api/overview.ts';
import { Failure, Notice } from '../parts/bits.tsx';
import { useRead } from '../use-live.ts';
import { END_WORDS, fieldWords, moneyWords, numberWords, spanWords } from '../words.ts';

/** How runs end and what they take. */
export function OverviewView() {
  const { value, failure } = useRead<Overview>('/api/overview');
  const [agent, setAgent] = useState('');
  if (failure) return <><h1>Overview</h1><Failure failure={failure} /></>;
  if (!value) return <><h1>Overview</h1><p class="quiet">Reading the latest runs …</p></>;
  if (value.endedRuns === 0) return <><h1>Overview</h1><Notice title="No run has ended yet."><a href="#/start">Start one</a>.</Notice></>;
  const names = [...new Set(value.ends.map((one) => one.agent))].sort();
  const ends = value.ends.filter((one) => agent === '' || one.agent === agent);
  return (
    <>
      <h1>Overview</h1>
      {value.warnings.map((name) => <Notice key={name} kind="warn" title={`${name}: more runs than before end at the step limit.`}>An early warning that the agent gets stuck more often: <a href={`#/runs?agent=${encodeURIComponent(name)}&endReason=step_limit`}>look at those runs</a>.</Notice>)}
      <div class="buttons" role="group" aria-label="Agent">{['', ...names].map((name) => <button type="button" key={name} class="small" aria-pressed={agent === name} onClick={() => setAgent(name)}>{name || 'All agents'}</button>)}</div>
      <h2>How runs end, by day</h2>
      <p class="quiet">Over the latest runs that ended ({numberWords(value.endedRuns)}), by day in UTC.</p>
      <Chart ends={ends} />
      <EndTable ends={ends} />
      <h2>By agent</h2>
      <p class="quiet">Over the latest runs that were read whole.</p>
      <AgentTable agents={value.agents.filter((one) => agent === '' || one.agent === agent)} />
      <h2>Guard counters</h2>
      <CounterTable agents={value.agents.filter((one) => agent === '' || one.agent === agent)} />
    </>
  );
}

/** Loaded only here: the rest of the page does without the chart's code. */
function Chart({ ends }: { readonly ends: readonly EndCount[] }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let remove: (() => void) | undefined;
    let gone = false;
    void import('../chart.ts').then(({ drawEnds }) => {
      if (place.current && !gone) remove = drawEnds(place.current, ends);
    });
    return () => {
      gone = true;
      remove?.();
    };
  }, [ends]);
  return <div ref={place} class="chart" role="img" aria-label="Runs that ended, by day and reason. The table below has the numbers." />;
}

function EndTable({ ends }: { readonly ends: readonly EndCount[] }) {
  const days = [...new Set(ends.map(({ day }) => day))].sort().reverse();
  const reasons = [...new Set(ends.map(({ reason }) => reason))];
  const count = (day: string, reason: string): number => ends.filter((one) => one.day === day && one.reason === reason).reduce((sum, { runs }) => sum + runs, 0);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="How runs end, as a table">
      <table class="list numbers">
        <thead><tr><th scope="col">Day</th>{reasons.map((reason) => <th scope="col" key={reason}>{END_WORDS[reason]}</th>)}</tr></thead>
        <tbody>{days.map((day) => <tr key={day}><th scope="row">{day}</th>{reasons.map((reason) => <td key={reason}>{count(day, reason) || '–'}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}

function AgentTable({ agents }: { readonly agents: readonly AgentFigures[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="By agent">
      <table class="list numbers">
        <thead><tr><th scope="col">Agent</th><th scope="col">Runs</th><th scope="col">Turns a run</th><th scope="col">Cost a run</th><th scope="col">Decisions</th><th scope="col">Half decided within</th><th scope="col">Approved as asked</th></tr></thead>
        <tbody>
          {agents.map((one) => (
            <tr key={one.agent}><th scope="row">{one.agent}</th><td>{one.runs}</td><td>{numberWords(one.turns)}</td>
              <td>{Object.entries(one.cost).map(([currency, amount]) => moneyWords({ amount: String(amount), currency })).join(', ') || '–'}</td>
              <td>{one.decisions}</td><td>{one.medianDecisionMs === undefined ? '–' : spanWords(one.medianDecisionMs)}</td><td>{one.approvedUnchanged === undefined ? '–' : `${Math.round(one.approvedUnchanged * 100)} %`}</td></tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">“Approved as asked” near 100 % over many decisions says that persons are asked for what they always grant: the rule may be too strict.</p>
    </div>
  );
}

function CounterTable({ agents }: { readonly agents: readonly AgentFigures[] }) {
  const names = [...new Set(agents.flatMap(({ counters }) => Object.keys(counters)))];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Guard counters">
      <table class="list numbers">
        <thead><tr><th scope="col">Counter</th>{agents.map(({ agent }) => <th scope="col" key={agent}>{agent}</th>)}</tr></thead>
        <tbody>{names.map((name) => <tr key={name}><th scope="row">{fieldWords(name)}</th>{agents.map(({ agent, counters }) => <td key={agent}>{counters[name as keyof typeof counters] ?? 0}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}
