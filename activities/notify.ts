import { Context } from '@temporalio/activity';
import type { NotifyInput } from '../core/contract.ts';
import type { Notification } from '../tools/notify.ts';
import type { Registry } from '../tools/registry.ts';
import { thisRun } from './this-run.ts';

/** Tells persons what a run wants of them: in the worker's log, and in the way that the agent's module brings. */
export function createNotify({ registry }: { readonly registry: Registry }): (input: NotifyInput) => Promise<void> {
  return async (input) => {
    const notification = notificationOf(input);
    const { event, run, status, handOver, next } = notification;
    const { log, cancellationSignal } = Context.current();
    log.info(event === 'ended' ? 'run has ended' : 'run waits for a person', { run, event, status, reason: handOver?.reason, next });
    const definition = input.agent && registry.findAgent(input.agent.name, input.agent.version);
    await definition?.notify?.(notification, {
      signal: cancellationSignal,
      log: (message) => {
        log.info(message, { run, event });
      },
    });
  };
}

function notificationOf({ event = 'waiting', agent, status, held = [], question, handOver, endReason }: NotifyInput): Notification {
  const run = thisRun().workflowId;
  const next = event === 'ended' ? `caseworker trace ${run}` : held.length > 0 ? `caseworker show ${run}` : question ? `caseworker answer ${run} "…"` : (handOver?.next ?? `caseworker show ${run}`);
  return {
    event, run, agent: agent?.name ?? '', status, held, next,
    ...(question ? { question } : {}),
    ...(handOver ? { handOver } : {}),
    ...(endReason ? { endReason } : {}),
  };
}
