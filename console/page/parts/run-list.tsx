import type { RunSummary } from '../../../client/types.ts';
import type { PresentCosts } from '../../api/present-costs.ts';
import { runAddress } from '../route.ts';
import { clockWords, moneyWords, spanWords } from '../words.ts';
import { Age, Status } from './bits.tsx';
import { Table } from './table.tsx';

interface RunListProps {
  readonly runs: readonly RunSummary[];
  /** What running ones said last. */
  readonly present: PresentCosts | undefined;
}

export function RunList({ runs, present }: RunListProps) {
  const isOld = runs.some((run) => run.status === 'running' && !present?.costs[run.id]);
  return (
    <>
      <Table label="List of runs" kind="runs" columns={['Run', 'Status', 'Agent', 'Cost', 'Asked for by', 'Started', 'Took']} rows={runs.map((run) => ({
        key: run.id,
        cells: [
          <a href={runAddress(run.id)}>{run.id}</a>, <Status run={run} />, run.agent, <Cost run={run} present={present} />, run.requestedBy, <Age ms={run.startedAtMs} />,
          run.closedAtMs ? spanWords(run.closedAtMs - run.startedAtMs) : undefined,
        ],
      }))} />
      {isOld ? <p class="quiet">≥: a running run told its cost when its status last changed, and may have cost more since. The newest 20 that run are asked every ten seconds while a worker is up; a run's own page has its present cost.</p> : null}
    </>
  );
}

/** A run that waits or has ended spends nothing: only of a running one the list's cost may be old. */
function Cost({ run: { id, status, cost }, present }: Pick<RunListProps, 'present'> & { readonly run: RunSummary }) {
  const now = status === 'running' ? present?.costs[id] : undefined;
  if (now && present) return <span title={`as of ${clockWords(present.atMs)}`}>{moneyWords(now)}</span>;
  if (status !== 'running') return cost ? <>{moneyWords(cost)}</> : <>–</>;
  return cost ? <span title="as of when its status last changed"><span class="hidden">at least </span><span aria-hidden="true">≥ </span>{moneyWords(cost)}</span> : <span title="not told yet">–</span>;
}
