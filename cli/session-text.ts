import type { Session } from './session.ts';

/** What `dev` and `worker` say once they are up. */
export function describeWorker({ cluster, worker, agents, webUi }: Session): readonly string[] {
  const field = (label: string, text: string | undefined): readonly string[] => (text ? [`${label.padEnd(9)}${text}`] : []);
  return [
    ...field('Server', `${cluster.address}, namespace ${cluster.namespace}`),
    ...field('Web UI', webUi),
    ...field('Agents', agents.join(', ')),
    ...field('Model', worker?.modelText),
    ...field('Metrics', worker?.metricsUrl),
  ];
}
