import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { traceLines } from '../../cli/trace-text.ts';
import type { TraceStyle } from '../../cli/trace-style.ts';
import type { RunResult } from '../../core/run.ts';
import type { Item, ObservationItem } from '../../core/transcript.ts';
import { bareLoop } from '../../examples/break-it/bare-loop.ts';
import {
  BARE_TOOLS, BREAK_AGENTS, BREAKS, INVENTED_OBSERVATION, INVENTED_ORDER, INVENTED_TOOL, TOO_FEW_STEPS,
} from '../../examples/break-it/breaks.ts';
import type { Break } from '../../examples/break-it/breaks.ts';
import { startScriptedModel } from '../../models/index.ts';
import type { ScriptedModel, Scripts } from '../../models/index.ts';
import { completion } from '../../models/offline/completion.ts';
import { openDesk } from '../support/desk.ts';
import type { Desk } from '../support/desk.ts';

const SCRIPTS: Scripts = Object.fromEntries(BREAKS.map(({ name, script }) => [name, script]));
const plain = (text: string): string => text;
const STYLE: TraceStyle = { width: 110, full: true, dim: plain, bold: plain, warn: plain, command: plain };

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

describe('the bare loop', () => {
  let model: ScriptedModel;
  beforeAll(async () => {
    model = await startScriptedModel(SCRIPTS);
  });
  afterAll(() => model.close());

  const run = async ({ name, question, maxSteps }: Break, stop?: string[]): Promise<string> => {
    print(['', `── bare loop · ${name}`, `Question: ${question}`]);
    const running = bareLoop({
      baseURL: model.baseURL, model: name, question, tools: BARE_TOOLS, maxSteps, print: (line) => print([line]), ...(stop ? { stop } : {}),
    });
    print([`⇒ ${await running.catch(String)}`]);
    return running;
  };
  const turns = ({ name }: Break) => model.requestsFor(name).length;

  test('answers from an observation that the model made up, and never runs the tool', async () => {
    expect(await run(INVENTED_OBSERVATION)).toBe('Nothing is refunded for order 88213.');
    expect(turns(INVENTED_OBSERVATION)).toBe(1);
  });

  test('answers with an order that does not exist', async () => {
    expect(await run(INVENTED_ORDER, ['Observation:'])).toContain('Order 88219 was 45 minutes late, so ₹30 is refunded');
  });

  test('crashes on a tool that does not exist', async () => {
    await expect(run(INVENTED_TOOL, ['Observation:'])).rejects.toThrow('tools.track_parcel is not a function');
  });

  test('returns a filler sentence as the answer when its steps are used up', async () => {
    expect(await run(TOO_FEW_STEPS, ['Observation:'])).toBe('Agent stopped due to iteration limit.');
  });
});

describe('the same words of the model in Caseworker', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ agents: BREAK_AGENTS, script: { ...SCRIPTS, [INVENTED_OBSERVATION.name]: INVENTED_OBSERVATION.script.map(withoutStop) } });
  });

  /** Servers there are that ignore the stop sequence: what they send back is cut by our own parser. */
  function withoutStop(line: Break['script'][number]): Break['script'][number] {
    if (!('text' in line)) throw new Error('these scripts hold text only');
    return { raw: completion({}, { text: line.text ?? '', usage: { prompt_tokens: 750, completion_tokens: 40 } }) };
  }

  const run = async ({ name, question }: Break): Promise<{ readonly result: RunResult; readonly items: readonly Item[] }> => {
    const { id, result } = await desk.run({ agent: name, task: question });
    const { entries } = await desk.client.trace(id);
    print(['', `── Caseworker · ${name}`, ...traceLines(entries, STYLE)]);
    return { result, items: entries.flatMap((entry) => (entry.kind === 'item' ? [entry.item] : [])) };
  };
  const observations = (items: readonly Item[]): readonly ObservationItem[] => items.filter((item) => item.type === 'observation');

  test('an invented observation is cut off, the tool runs, and the answer is the real one', async () => {
    const { result, items } = await run(INVENTED_OBSERVATION);
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'The delivery fee of ₹25 is refunded.', counters: { invented_observations: 1 } });
    expect(observations(items)[0]).toMatchObject({ tool: 'get_order', status: 'ok', text: expect.stringContaining('19:02') });
    expect(JSON.stringify(observations(items))).not.toContain('on time');
  });

  test('a missing order is said to be missing, and an answer with an amount from nowhere is sent back', async () => {
    const { result, items } = await run(INVENTED_ORDER);
    expect(observations(items)[0]).toMatchObject({ status: 'empty', text: 'No order with id 88219 exists. Ask the customer for the number on the receipt.' });
    expect(result).toMatchObject({ endReason: 'final_answer', counters: { empty_results: 1 } });
    expect(result.counters.answer_problems).toBeGreaterThan(0);
    expect(result.answer).toContain('could not find order 88219');
    expect(result.answer).not.toContain('₹30');
  });

  test('a tool that does not exist is answered with those that do, and the run goes on', async () => {
    const { result, items } = await run(INVENTED_TOOL);
    expect(observations(items)[0]).toMatchObject({ status: 'error', text: expect.stringMatching(/no tool "track_parcel".*get_order/) });
    expect(result).toMatchObject({ endReason: 'final_answer', answer: expect.stringContaining('17:52'), counters: { unknown_tools: 1 } });
  });

  test('with its turns used up a run has no answer, and hands over what was done, found and left', async () => {
    const { result } = await run(TOO_FEW_STEPS);
    expect(result).toMatchObject({ endReason: 'step_limit', usage: { turns: 2 } });
    expect(result.answer).toBeUndefined();
    expect(result.handOver?.done.map(({ tool }) => tool)).toEqual(['get_order', 'get_policy']);
    expect(result.handOver?.remains).toEqual([TOO_FEW_STEPS.question]);
    expect(JSON.stringify(result.handOver?.facts)).toContain('88213');
  });
});
