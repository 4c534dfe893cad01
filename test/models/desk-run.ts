import type { Form, PinnedAgent } from '../../core/agent.ts';
import type { JsonObject } from '../../core/json.ts';
import { answerProblems } from '../../core/answer-check.ts';
import { evidenceOf } from '../../core/evidence.ts';
import { readFunctionReply } from '../../core/function-form.ts';
import { renderPrompt } from '../../core/prompt.ts';
import type { ReadAction } from '../../core/reply.ts';
import { seenWords } from '../../core/seen-words.ts';
import { readTextReply } from '../../core/text-form.ts';
import type { Action, AnswerProblem, Item, ObservationItem, ObservationStatus } from '../../core/transcript.ts';
import { OFFLINE_MODEL } from '../../models/index.ts';
import type { Model } from '../../models/index.ts';
import type { Tool } from '../../tools/tool.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';
import { ask } from './ask.ts';

export interface DeskRun {
  readonly answer?: string;
  readonly handOver?: string;
  /** What the answer says that the evidence does not carry. */
  readonly problems: readonly AnswerProblem[];
  /** Tools and arguments of each turn. */
  readonly turns: readonly (readonly { readonly tool: string; readonly args: JsonObject }[])[];
}

export interface DeskTask {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly form: Form;
  readonly task: string;
  /** What a person answers when asked, in order. */
  readonly persons?: readonly string[];
  /** Instead of running the tool: what it would have given. */
  readonly instead?: (call: { readonly tool: string; readonly args: JsonObject; readonly nth: number }) => { readonly status: ObservationStatus; readonly text: string } | undefined;
}

/** The loop of a run without its guards: the real prompt, adapter, readers and tools, so that only the model is on trial. */
export async function deskRun(task: DeskTask): Promise<DeskRun> {
  const agent = pinnedAgent({ name: 'order-desk', model: OFFLINE_MODEL, form: task.form, tools: task.tools.map(({ facts }) => facts) });
  const items: Item[] = [taskItem(agent, task.task)];
  const turns: { tool: string; args: JsonObject }[][] = [];
  const persons = [...(task.persons ?? [])];
  for (let turn = 1; turn <= 12; turn += 1) {
    const reply = await task.model.complete(ask({ model: OFFLINE_MODEL, prompt: renderPrompt(agent, items) }));
    const read = task.form === 'text' ? readTextReply(reply, agent.tools) : readFunctionReply(reply, agent.tools);
    const actions = read.actions.map((action, i) => asAction(action, `${turn}.${i + 1}`));
    items.push({ type: 'reply', turn, actions, notes: read.notes, usage: NO_USAGE, ...(read.thought === undefined ? {} : { thought: read.thought }) });
    const calls = actions.flatMap((action) => (action.kind === 'call' ? [action] : []));
    turns.push(calls.map(({ tool, args }) => ({ tool, args })));
    for (const action of actions) {
      if (action.kind === 'final_answer') {
        const answer = String(action.answer);
        return { answer, turns, problems: answerProblems(answer, { evidence: evidenceOf(items, agent.tools), tools: agent.tools, items }) };
      }
      if (action.kind === 'hand_over') return { handOver: action.reason, turns, problems: [] };
      if (action.kind === 'invalid') throw new Error(`the offline model wrote something that cannot be read: ${action.raw}`);
      items.push(await observationOf(task, action, turns));
      if (action.kind === 'ask_person') {
        const by = { name: 'kim', verified: false };
        items.push({ type: 'person', verb: 'answer', by, id: `d${turn}`, text: persons.shift() ?? 'I do not know.', call: action.id });
      }
    }
  }
  throw new Error('no answer after twelve turns');
}

const NO_USAGE = { model: '', inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimatedTokens: 0, attempts: 1, ms: 0, promptBytes: 0 };

function taskItem({ name, version, hash, form, model, limits }: PinnedAgent, goal: string): Item {
  return { type: 'task', goal, constraints: [], agent: { name, version, hash, form, model }, budget: limits.budget };
}

function asAction(action: ReadAction, id: string): Action {
  switch (action.kind) {
    case 'call': return { kind: 'call', id, tool: action.tool, args: action.args, hash: id, needsApproval: false };
    case 'final_answer': return { kind: 'final_answer', id, answer: action.text, problems: [] };
    case 'ask_person': return { kind: 'ask_person', id, question: action.question };
    case 'hand_over': return { kind: 'hand_over', id, reason: action.reason };
    case 'update_todo': return { kind: 'update_todo', id, items: action.items };
    case 'bare_call':
    case 'format': return { kind: 'invalid', id, problem: 'format', raw: action.raw, text: '', hash: id };
  }
}

async function observationOf(task: DeskTask, action: Action, turns: DeskRun['turns']): Promise<ObservationItem> {
  const base = { type: 'observation', call: action.id, tool: action.kind, seen: [], hash: '', ms: 0 } as const;
  if (action.kind !== 'call') return { ...base, status: 'ok', text: 'Noted.' };
  const { tool, args } = action;
  const nth = turns.flat().filter((call) => call.tool === tool).length;
  const given = task.instead?.({ tool, args, nth }) ?? (await run(task.tools, tool, args));
  const own = new Set(given.status === 'ok' ? [] : seenWords(JSON.stringify(args)));
  return { ...base, tool, ...given, seen: seenWords(given.text).filter((word) => !own.has(word)) };
}

async function run(tools: readonly Tool[], name: string, args: JsonObject): Promise<{ status: ObservationStatus; text: string }> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return { status: 'error', text: `There is no tool ${name}.` };
  const prepared = await tool.prepare(args);
  if (!prepared.ok) return { status: 'error', text: prepared.problem };
  const context = { signal: new AbortController().signal, idempotencyKey: 'k', heartbeat: () => undefined, log: () => undefined };
  try {
    const result: unknown = await prepared.call.run(context);
    if (result === undefined) return { status: 'empty', text: prepared.call.emptyText() ?? 'Nothing.' };
    return { status: 'ok', text: typeof result === 'string' ? result : JSON.stringify(result) };
  } catch (error) {
    return { status: 'error', text: prepared.call.errorText(error) ?? String(error) };
  }
}
