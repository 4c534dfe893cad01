import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

type Think = (input: { readonly task: string; readonly newest: string }) => Promise<{ readonly next?: number }>;

/** The least that a loop of this shape can be: no guards, no transcript, no prompt but the newest record. */
export interface FloorActivities {
  think: Think;
  /** The same with a prompt as long as the product's, through the same client: what a model costs whoever asks it. */
  thinkWhole: Think;
  get_record(input: { readonly n: number }): Promise<string>;
}

const OPTIONS = { startToCloseTimeout: '30s' } as const;
const regular = proxyActivities<FloorActivities>(OPTIONS);
const local = proxyLocalActivities<FloorActivities>(OPTIONS);

/** Two regular activities a turn. */
export function floorRegular(task: string): Promise<string> {
  return loop(task, regular.think, regular.get_record);
}

/** One regular and one local activity a turn. */
export function floorLocal(task: string): Promise<string> {
  return loop(task, regular.think, local.get_record);
}

export function promptRegular(task: string): Promise<string> {
  return loop(task, regular.thinkWhole, regular.get_record);
}

export function promptLocal(task: string): Promise<string> {
  return loop(task, regular.thinkWhole, local.get_record);
}

async function loop(task: string, think: Think, read: FloorActivities['get_record']): Promise<string> {
  let newest = '';
  for (;;) {
    const { next } = await think({ task, newest });
    if (next === undefined) return 'All records are read.';
    newest = await read({ n: next });
  }
}
