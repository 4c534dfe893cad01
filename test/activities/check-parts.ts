import { z } from 'zod';
import { checkReply } from '../../activities/check-reply.ts';
import type { CheckContext } from '../../activities/check-reply.ts';
import type { PinnedAgent } from '../../core/agent.ts';
import { evidenceOf } from '../../core/evidence.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ReadAction } from '../../core/reply.ts';
import type { Action, Item } from '../../core/transcript.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import type { AgentDefinition, AgentOptions } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { pinnedFrom } from '../../tools/pinned-from.ts';

export const getOrder = defineTool({
  name: 'get_order', description: 'One order.', effect: 'read', ids: { order_id: 'order' },
  input: z.object({ order_id: z.string() }),
  run: () => 'open',
});
export const listOrders = defineTool({
  name: 'list_orders', description: 'The orders of a customer.', effect: 'read', ids: { customer: 'customer' },
  input: z.object({ customer: z.string() }),
  run: () => ['88213'],
});
export const issueRefund = defineTool({
  name: 'issue_refund', description: 'Pays money back.', effect: 'once', ids: { order_id: 'order' },
  input: z.strictObject({
    order_id: z.string(),
    amount: z.number().positive(),
    method: z.enum(['card', 'voucher']).optional(),
    lines: z.array(z.strictObject({ sku: z.string(), count: z.number().int() })).optional(),
  }),
  key: ({ order_id }) => `order-${order_id}`,
  needsApproval: ({ amount }) => amount > 100,
  run: () => 'done',
});
export const compare = defineTool({
  name: 'compare', description: 'Compares things.', effect: 'read', ids: { orders: 'order', of: 'order' },
  input: z.object({ orders: z.array(z.string()).optional(), of: z.object({ first: z.number() }).optional() }),
  run: () => 'same',
});
export const setLevel = defineTool({ name: 'set_level', description: 'Sets a level.', effect: 'idempotent', needsApproval: false, input: z.object({ level: z.number() }), run: () => 'ok' });
export const toggle = defineTool({ name: 'toggle', description: 'On or off.', effect: 'read', input: z.object({ on: z.boolean() }), run: () => 'ok' });
export const find = defineTool({ name: 'find', description: 'Finds text.', effect: 'read', input: z.object({ query: z.string(), limit: z.number().optional() }), run: () => 'ok' });
export const now = defineTool({ name: 'now', description: 'The time.', effect: 'read', input: z.object({}), run: () => '18:00' });

export const TASK: Item = {
  type: 'task', goal: 'Order 88213 of customer C-17 cost ₹480. What is refunded?', constraints: [], budget: { kind: 'tokens', tokens: 1 },
  agent: { name: 'desk', version: '1', hash: 'f00d', form: 'text', model: 'm' },
};

export function desk(changes: Partial<AgentOptions> = {}): AgentDefinition {
  return defineAgent({
    name: 'desk', version: '1', instructions: 'You work at the desk.',
    tools: [getOrder, listOrders, issueRefund, compare, setLevel, toggle, find, now], ...changes,
  });
}

export function pinned(definition: AgentDefinition): PinnedAgent {
  const result = pinnedFrom(definition, { model: 'scripted', searchAttributes: [], promptBytes: () => 0 });
  if (!result.ok) throw new Error(result.problem);
  return result.agent;
}

export interface Checked {
  readonly definition?: AgentDefinition;
  /** Pinned facts where they differ from the code that is deployed now. */
  readonly agent?: PinnedAgent;
  /** Default: true. */
  readonly isDeployed?: boolean;
  readonly items?: readonly Item[];
}

export function checkAll(actions: readonly ReadAction[], { definition = desk(), agent = pinned(definition), isDeployed = true, items = [TASK] }: Checked = {}): readonly Action[] {
  const context: CheckContext = { turn: 3, agent, evidence: evidenceOf(items, agent.tools), items, firstRunId: 'first', ...(isDeployed ? { definition } : {}) };
  return checkReply({ actions, notes: [] }, context).actions;
}

/** The one action that a reply with one call becomes. */
export function checkOne(action: ReadAction, checked: Checked = {}): Action {
  const [first] = checkAll([action], checked);
  if (!first) throw new Error('the reply had no action');
  return first;
}

export function said(tool: string, args: JsonObject): ReadAction {
  return { kind: 'call', tool, args, raw: JSON.stringify(args) };
}

export function bare(tool: string, input: string): ReadAction {
  return { kind: 'bare_call', tool, input, raw: `${tool}[${input}]` };
}

/** What the model is told of an action that cannot run. */
export function toldOf(action: Action): string {
  if (action.kind !== 'invalid') throw new Error(`expected an invalid action, got ${action.kind}`);
  return action.text;
}
