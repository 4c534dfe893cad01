import type { ModelReply } from '../../core/reply.ts';
import type { ToolFacts } from '../../core/agent.ts';
import { toolFacts } from '../support/pinned-agent.ts';

function tool(name: string, field: string, effect: ToolFacts['effect'] = 'read'): ToolFacts {
  const required = field === '' ? [] : [field];
  const properties = field === '' ? {} : { [field]: { type: 'string' } };
  return toolFacts({ name, effect, schema: { type: 'object', properties, required } });
}

/** Tools of a back office: reads with one field, one without any, and writes. */
export const TOOLS: readonly ToolFacts[] = [
  tool('get_order', 'order_id'), tool('get_invoice', 'id'), tool('get_policy', 'topic'), tool('search_vendor', 'names'),
  tool('sum_ledger', 'month'), tool('list_orders', 'filter'), tool('run_query', 'query'), tool('fetch_page', 'url'),
  tool('calculate', 'expression'), tool('list_queues', ''), tool('files.read', 'path'),
  tool('post_journal', 'entry', 'once'), tool('delete_vendor', 'id', 'once'), tool('cancel_order', 'id', 'idempotent'),
  tool('create_ticket', 'title', 'once'), tool('add_note', 'text', 'idempotent'), tool('refund', 'order_id', 'once'),
];

export function modelReply(facts: Partial<ModelReply>): ModelReply {
  return { text: '', calls: [], finish: 'stop', model: 'scripted', dropped: [], ...facts };
}
