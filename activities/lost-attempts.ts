import { Context } from '@temporalio/activity';
import type { ThinkFailureDetails } from '../core/contract.ts';

/** What the attempts before this one were, as far as anybody knows. */
export type LostAttempts = ThinkFailureDetails;

/**
 * Attempts that reported themselves are taken at their word; one that vanished with its worker may have been billed,
 * so it counts as unknown.
 */
export function lostAttempts(): LostAttempts {
  const { info } = Context.current();
  const heartbeatDetails: unknown = info.heartbeatDetails;
  const told = isDetails(heartbeatDetails) ? heartbeatDetails : { attempts: 0, unknownBilling: 0, ms: 0 };
  const before = info.attempt - 1;
  const silent = Math.max(0, before - told.attempts);
  return { attempts: before, unknownBilling: told.unknownBilling + silent, ms: told.ms };
}

function isDetails(value: unknown): value is ThinkFailureDetails {
  if (typeof value !== 'object' || value === null) return false;
  const { attempts, unknownBilling, ms }: { attempts?: unknown; unknownBilling?: unknown; ms?: unknown } = value;
  return [attempts, unknownBilling, ms].every((figure) => typeof figure === 'number' && figure >= 0);
}
