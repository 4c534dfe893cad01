import type { Step } from '../../../core/run.ts';
import type { RunView } from '../../api/run-view.ts';
import { Arguments } from '../parts/arguments.tsx';
import { CopyButton, Failure, Moment, Notice } from '../parts/bits.tsx';
import { runAddress } from '../route.ts';
import { useRead } from '../use-live.ts';
import { moneyWords, numberWords, spanWords } from '../words.ts';

/** The hand-over package of a run as a page to print. */
export function PackageView({ id }: { readonly id: string }) {
  const { value: run, failure } = useRead<RunView>(`/api/runs/${encodeURIComponent(id)}`);
  if (failure) return <><h1>Hand-over package</h1><Failure failure={failure} /></>;
  if (!run) return <h1>Hand-over package</h1>;
  const handOver = run.result?.handOver ?? run.progress?.handOver ?? lastHandOver(run);
  const stop = (run.result?.stops ?? run.progress?.stops ?? []).at(-1);
  if (!handOver) return <><h1>Hand-over package</h1><Notice title="This run has none: it was answered, or it still goes on."><a href={runAddress(id)}>Back to the run</a></Notice></>;
  return (
    <article class="package">
      <p class="tools no-print"><a class="button small" href={runAddress(id)}>Back to the run</a><button type="button" class="small" onClick={() => print()}>Print</button><CopyButton label="Copy as JSON" text={() => JSON.stringify(handOver, undefined, 2)} /></p>
      <h1>Hand-over: {id}</h1>
      <p class="quiet">{run.summary.agent}{stop ? <> · stopped <Moment ms={stop.atMs} /></> : null}</p>
      <h2>Why</h2><p class="said">{handOver.reason}</p>
      <h2>Goal</h2><p class="said">{handOver.goal}</p>
      {handOver.constraints.length > 0 ? <ul>{handOver.constraints.map((rule) => <li key={rule} class="said">{rule}</li>)}</ul> : null}
      <Steps title="In doubt: look these up first" steps={handOver.inDoubt} />
      <Steps title="Done" steps={handOver.done} />
      {handOver.remains.length > 0 ? <><h2>What remains</h2><ul>{handOver.remains.map((line) => <li key={line} class="said">{line}</li>)}</ul></> : null}
      {handOver.facts.length > 0 ? <><h2>Facts</h2><ul>{handOver.facts.map((fact, i) => <li key={i}><span class="said">{fact.text}</span> <span class="quiet">({fact.call})</span></li>)}</ul></> : null}
      <h2>Spent</h2>
      <p>{handOver.spent.turns} turns, {numberWords(handOver.spent.inputTokens + handOver.spent.outputTokens)} tokens, {handOver.spent.cost ? moneyWords(handOver.spent.cost) : 'no price known'}, {spanWords(handOver.spent.activeMs)} active</p>
      <h2>Next</h2><p><code>{handOver.next}</code></p>
    </article>
  );
}

function lastHandOver({ trace }: RunView) {
  const items = trace.entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'stop' && entry.item.handOver ? [entry.item.handOver] : []));
  return items.at(-1);
}

function Steps({ title, steps }: { readonly title: string; readonly steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return <><h2>{title}</h2>{steps.map((step) => <section key={step.call} class="step"><h3><code>{step.tool}</code> ({step.call})</h3><Arguments args={step.args} /><p class="said">{step.outcome}</p></section>)}</>;
}
