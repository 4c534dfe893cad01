import type { HandOver, Step } from './run.ts';
import type { EffectRecord, RunState } from './state.ts';
import type { StopCause } from './stop-cause.ts';
import type { CallAction, Item, ObservationItem } from './transcript.ts';

const DONE_STEPS = 40;
const FACTS = 10;
const FACT_CHARS = 240;
const OUTCOME_CHARS = 240;

/**
 * What a person needs to take over: what was done, what is in doubt, what remains. Built from state alone, without a
 * model call, so it cannot fail when the model is what failed.
 */
export function handOverPackage(state: RunState, cause: StopCause): HandOver {
  const calls = callsWithResults(state.items);
  return {
    goal: state.goal,
    constraints: state.constraints,
    reason: cause.text,
    done: doneSteps(state, calls),
    inDoubt: state.effects.filter(({ status }) => status === 'unknown').map((effect) => effectStep(effect, calls)),
    remains: remains(state, calls),
    facts: facts(calls),
    spent: state.usage,
    ...(cause.queue ? { queue: cause.queue } : {}),
    next: nextCommand(state, cause),
  };
}

interface CallWithResult {
  readonly call: CallAction;
  readonly result: ObservationItem | undefined;
}

function callsWithResults(items: readonly Item[]): readonly CallWithResult[] {
  const results = new Map(items.flatMap((item) => (item.type === 'observation' ? [[item.call, item] as const] : [])));
  return items
    .flatMap((item) => (item.type === 'reply' ? item.actions : []))
    .flatMap((action) => (action.kind === 'call' ? [{ call: action, result: results.get(action.id) }] : []));
}

/** Effects first and all of them, then the newest reads. */
function doneSteps(state: RunState, calls: readonly CallWithResult[]): readonly Step[] {
  const effects = state.effects.filter(({ status }) => status === 'ok').map((effect) => effectStep(effect, calls));
  const effectIds = new Set(state.effects.map(({ call }) => call));
  const reads = calls.flatMap(({ call, result }) =>
    result && (result.status === 'ok' || result.status === 'empty') && !effectIds.has(call.id) ? [step(call, result.text)] : [],
  );
  return [...effects, ...reads.slice(-DONE_STEPS)];
}

function effectStep(effect: EffectRecord, calls: readonly CallWithResult[]): Step {
  const call = calls.find(({ call: { id } }) => id === effect.call)?.call;
  return { call: effect.call, tool: effect.tool, args: effect.args ?? effect.lost?.args ?? call?.args ?? {}, outcome: short(effect.text, OUTCOME_CHARS) };
}

function step(call: CallAction, outcome: string): Step {
  return { call: call.id, tool: call.tool, args: call.args, outcome: short(outcome, OUTCOME_CHARS) };
}

function remains(state: RunState, calls: readonly CallWithResult[]): readonly string[] {
  const question = state.question ? [`Answer the question: ${state.question.question}`] : [];
  const notRun = calls.flatMap(({ call, result }) =>
    result?.status === 'skipped' || result?.status === 'denied' ? [`${call.tool} ${JSON.stringify(call.args)} did not run: ${result.text.replace(/^Not run: /, '')}`] : [],
  );
  const open = state.todo.filter(({ done }) => !done).map(({ text }) => text);
  const listed = [...question, ...notRun.slice(-DONE_STEPS), ...open];
  return listed.length > 0 ? listed : [state.goal];
}

function facts(calls: readonly CallWithResult[]): HandOver['facts'] {
  const found = calls.flatMap(({ call, result }) =>
    result?.status === 'ok' ? [{ text: short(result.text, FACT_CHARS), call: call.id }] : [],
  );
  return found.slice(-FACTS);
}

/** The command that answers this stop; limits are doubled as a start, since a person decides the figure. */
function nextCommand({ id, agent, limits, effects }: RunState, { reason, detail, tool }: StopCause): string {
  const resume = `caseworker resume ${id}`;
  switch (reason) {
    case 'step_limit': return `${resume} --max-turns ${limits.turns * 2}`;
    case 'time_limit': return `${resume} --time-limit ${Math.ceil(limits.timeMs / 500)}s`;
    case 'budget': {
      const { budget } = limits;
      const more = budget.kind === 'tokens' ? `${budget.tokens * 2} tokens` : `${Number(budget.money.amount) * 2} ${budget.money.currency}`;
      return `${resume} --budget "${more}"`;
    }
    case 'cancelled': return `caseworker trace ${id}`;
    case 'hand_over': {
      const lost = effects.find(({ status }) => status === 'unknown');
      if (detail === 'unknown_outcome' && lost) return `caseworker settle ${id} ${lost.call} --happened`;
      // Resumed while it is off, the run would only be handed over again.
      if (detail === 'switched_off') return ['caseworker enable', agent.name, ...(tool === undefined ? [] : [tool])].join(' ');
      return detail === 'taken_over' ? `caseworker give-back ${id}` : `${resume} --note "what to do next"`;
    }
    default: return `${resume} --note "what to do next"`;
  }
}

function short(text: string, chars: number): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (flat.length <= chars) return flat;
  const cut = flat.slice(0, chars - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
