import { CancelledFailure, Context } from '@temporalio/activity';
import type { ActInput, ActResult, LocalMiss } from '../core/contract.ts';

/** Before the server's own time-out, which would say neither which call it was nor why. */
const MARGIN_MS = 50;

/**
 * A read within a workflow task, which waits for it. It always comes back, in time, and never throws: what it did not
 * get is said, for a regular activity to try again.
 */
export async function withinMoment(input: ActInput, act: () => Promise<ActResult>): Promise<ActResult | LocalMiss> {
  const startMs = performance.now();
  const miss = (why: string): LocalMiss => ({ type: 'local_miss', call: input.call, tool: input.tool, why, ms: Math.round(performance.now() - startMs) });
  const late = lateness();
  try {
    return await Promise.race([act(), late.passed.then(() => miss('it took longer than a local read may'))]);
  } catch (error) {
    if (error instanceof CancelledFailure) throw error;
    return miss(error instanceof Error ? error.message : String(error));
  } finally {
    late.clear();
  }
}

/** For a tool that does not heed its signal. */
function lateness(): { readonly passed: Promise<void>; clear(): void } {
  const { startToCloseTimeoutMs } = Context.current().info;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(1, startToCloseTimeoutMs - MARGIN_MS));
  });
  return { passed, clear: () => clearTimeout(timer) };
}
