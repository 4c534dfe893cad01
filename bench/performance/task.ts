/**
 * The task that every engine gets: read so many records, one a turn, then answer. The model's side reads the marks below
 * from the raw request, whatever the engine makes of the conversation.
 */
export interface Task {
  /** Unique: the model's server counts by it. */
  readonly key: string;
  readonly turns: number;
  /** The request for this turn is not answered until its connection ends. */
  readonly holdAt?: number;
  /** In this turn the model asks a person instead of reading. */
  readonly askAt?: number;
}

export function taskText({ key, turns, holdAt, askAt }: Task): string {
  return `Read ${turns} records one after the other, then answer. run=${key} turns=${turns} hold=${holdAt ?? 0} ask=${askAt ?? 0};`;
}

export function taskIn(body: string): Task | undefined {
  const found = /run=([\w-]{1,80}) turns=(\d{1,6}) hold=(\d{1,6}) ask=(\d{1,6});/.exec(body);
  if (!found) return undefined;
  const [, key = '', turns, holdAt, askAt] = found;
  return { key, turns: Number(turns), holdAt: Number(holdAt), askAt: Number(askAt) };
}

/** What the tool is called with and called by, in every engine. */
export const TOOL = { name: 'get_record', description: 'One record by its number.' } as const;
export const INSTRUCTIONS = 'You read records at a desk. Read one record a turn with get_record.';

/** A record of about 1,000 characters, as an order or a policy section has; no two are alike. */
export function recordText(n: number): string {
  const lines = Array.from({ length: 12 }, (_, i) => `field ${i + 1}: value ${(n * 7_919 + i * 104_729) % 999_983} of record ${n}, checked by the desk and kept on file`);
  return `<record ${n}>\n${lines.join('\n')}`;
}

/** Number of the newest record in a conversation; 0 before the first. */
export function newestRecord(body: string): number {
  const at = body.lastIndexOf('<record ');
  return at < 0 ? 0 : Number(/^\d{1,6}/.exec(body.slice(at + 8))?.[0] ?? 0);
}
