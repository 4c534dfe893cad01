import { command } from './command-name.ts';
import type { RunPage, Session } from './session.ts';

/** What `dev` and `worker` say once they are up. */
export function describeWorker({ cluster, worker, agents, webUi }: Session): readonly string[] {
  const field = (label: string, text: string | undefined): readonly string[] =>
    text ? [`${label.padEnd(9)}${text}`] : [];
  return [
    ...field('Server', `${cluster.address}, namespace ${cluster.namespace}`),
    ...field('Web UI', webUi),
    ...field('Agents', agents.join(', ')),
    ...field('Model', worker?.modelText),
    ...field('Metrics', worker?.metricsUrl),
  ];
}

/** Where a run is seen in Temporal's Web UI; nothing when that is not known. */
export function webUiLines({ webUi, webUiEnds }: RunPage): readonly string[] {
  if (!webUi) return [];
  return [`Web UI: ${webUi}`, ...(webUiEnds ? [`        (served while a server is up: ${command('dev')})`] : [])];
}
