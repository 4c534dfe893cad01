import type { ApprovalEntry } from '../client/inbox-entry.ts';
import type { CaseworkerClient } from '../client/types.ts';
import { UsageError } from '../client/errors.ts';
import { command } from './command-name.ts';

export interface NamedCall {
  readonly id: string;
  /** Absent: the only one that is held. */
  readonly call?: string;
}

/** The held call that is meant; nothing when it is not held (any more). @throws UsageError when several could be meant */
export async function heldCall(client: CaseworkerClient, { id, call }: NamedCall): Promise<ApprovalEntry | undefined> {
  const held = (await client.waiting(id)).filter((entry) => entry.kind === 'approval');
  if (call !== undefined) return held.find((entry) => entry.call === call);
  if (held.length > 1) {
    const calls = held.map((entry) => `  ${entry.call}  ${entry.summary ?? entry.tool}`).join('\n');
    throw new UsageError(`${held.length} calls of ${id} are held: say which.\n${calls}\nLook at them: ${command('show', id)}`);
  }
  return held[0];
}
