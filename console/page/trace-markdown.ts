import { elsewhereText } from '../../client/elsewhere-text.ts';
import type { TraceEntry } from '../../client/types.ts';
import type { Item } from '../../core/transcript.ts';
import type { RunView } from '../api/run-view.ts';
import { END_WORDS } from './words.ts';

/** The trace as text for a ticket or a mail. Fences grow with what is in them, so that no text of a tool closes one. */
export function traceMarkdown({ summary, trace, unread, result }: RunView): string {
  const head = [`# Run ${summary.id}`, '', `Agent ${summary.agent ?? '?'}, started ${new Date(summary.startedAtMs).toISOString()}`];
  const end = result ? ['', `**Ended:** ${END_WORDS[result.endReason]} (${result.endReason})`, ...(result.answer === undefined ? [] : ['', fenced(text(result.answer))])] : [];
  return [...head, ...[...trace.entries, ...unread].flatMap(entryLines), ...end, ''].join('\n');
}

function entryLines(entry: TraceEntry): readonly string[] {
  if (entry.kind === 'item') return itemLines(entry.item);
  if (entry.kind === 'attempt_failed') return ['', '**An attempt failed**', '', fenced(entry.message)];
  return entry.kind === 'missing' ? ['', `_Entries ${entry.from} to ${entry.to} are missing: ${entry.why}_`] : [];
}

function itemLines(item: Item): readonly string[] {
  switch (item.type) {
    case 'task': return ['', '## Task', '', fenced([item.goal, ...item.constraints.map((rule) => `Rule: ${rule}`)].join('\n'))];
    case 'reply': return ['', `## Turn ${item.turn}`, '', fenced(item.thought ?? 'no thought given'), ...item.actions.flatMap((action) => ['', `**${action.id} ${action.kind === 'call' ? action.tool : action.kind}**`, '', fenced(action.kind === 'call' ? text(action.args) : action.kind === 'final_answer' ? text(action.answer) : text(action), 'json')])];
    case 'observation': return ['', `**${item.call} ${item.tool}: ${item.status}**`, '', fenced(item.text)];
    case 'nudge': return ['', '**Nudge**', '', fenced(item.text)];
    case 'stop': return ['', `**Stopped: ${item.reason}**`, '', fenced(item.text)];
    case 'person': return ['', `**${item.by.name}${item.by.verified ? '' : ' (not proven)'}: ${item.verb}**`, '', fenced([item.text, item.refused ? `refused, because ${item.refused}` : ''].filter(Boolean).join('\n'))];
    case 'held': return ['', `**${item.call} ${item.tool} is held**: ${item.facts.why}${item.facts.checks?.elsewhere ? `. ${elsewhereText(item.facts.checks.elsewhere)}` : ''}`];
    case 'summary': return ['', '**Summary**', '', fenced(item.text)];
    case 'elided': return [];
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

function fenced(body: string, language = 'text'): string {
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${body}\n${fence}`;
}
