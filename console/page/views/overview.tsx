import { useState } from 'preact/hooks';
import type { Overview } from '../../api/overview.ts';
import { Ends } from '../parts/ends.tsx';
import { Failure, Notice } from '../parts/bits.tsx';
import { AgentTable, CounterTable } from '../parts/agent-tables.tsx';
import { Spreads } from '../parts/spreads.tsx';
import { useRead } from '../use-live.ts';
import { numberWords } from '../words.ts';

/** How runs end and what they take. */
export function OverviewView() {
  const { value, failure } = useRead<Overview>('/api/overview');
  const [agent, setAgent] = useState('');
  if (failure) return <><h1>Overview</h1><Failure failure={failure} /></>;
  if (!value) return <><h1>Overview</h1><p class="quiet">Reading the latest runs …</p></>;
  if (value.endedRuns === 0) return <><h1>Overview</h1><Notice title="No run has ended yet.">What runs take and how they end stands here as soon as one has. <a href="#/start">Start one</a>, or see <a href="#/runs">those that go on</a>.</Notice></>;
  const names = [...new Set(value.ends.map((one) => one.agent))].sort();
  const isShown = (one: { readonly agent: string }): boolean => agent === '' || one.agent === agent;
  const agents = value.agents.filter(isShown);
  const read = agents.reduce((sum, { runs }) => sum + runs, 0);
  return (
    <>
      <h1>Overview</h1>
      {value.warnings.map((name) => <Notice key={name} kind="warn" title={`${name}: more runs than before end at the step limit.`}>An early warning that the agent gets stuck more often: <a href={`#/runs?agent=${encodeURIComponent(name)}&endReason=step_limit`}>look at those runs</a>.</Notice>)}
      {names.length > 1 ? <div class="buttons" role="group" aria-label="Agent">{['', ...names].map((name) => <button type="button" key={name} class="small" aria-pressed={agent === name} onClick={() => setAgent(name)}>{name || 'All agents'}</button>)}</div> : null}
      <h2>How runs end</h2>
      <p class="quiet">The latest runs that have ended ({numberWords(value.ends.filter(isShown).reduce((sum, { runs }) => sum + runs, 0))}), by day in UTC.</p>
      <Ends ends={value.ends.filter(isShown)} rising={value.warnings.filter((name) => isShown({ agent: name }))} />
      <h2>What a run takes</h2>
      <p class="quiet">The latest {numberWords(read)} of them, read whole.</p>
      <Spreads agents={agents} />
      <AgentTable agents={agents} />
      <p class="quiet">“Approved as asked” is how often persons granted exactly what was asked. Near 100 % over many decisions the question was needless: the rule may be too strict.</p>
      <h2>Guard counters</h2>
      <p class="quiet">How often a guard stepped in, in the same runs.</p>
      <CounterTable agents={agents} />
    </>
  );
}
