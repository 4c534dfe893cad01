import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { verify } from '../../worker/verify.ts';
import { bundleWith } from '../support/planted-bundle.ts';
import type { Planted } from '../support/planted-bundle.ts';

/** What a history must hold, event by event, to be worth its place; and a change that it must tell of. */
interface Point {
  readonly holds: readonly (readonly [eventType: string, text: string])[];
  readonly planted: Planted;
}

/** Where the pinned agent stands: an activity's result in runs of older builds, a mark of the first workflow task since. */
const PINNED = 'ACTIVITY_TASK_COMPLETED|MARKER_RECORDED';

/** A scenario that no longer comes to its point would be recorded, and replayed, all the same. */
const POINTS: Readonly<Record<string, Point>> = {
  'observations elided, then turns summarised, by the bytes of the conversation': {
    holds: [
      [PINNED, '"conversationBytes":'], ['ACTIVITY_TASK_SCHEDULED', '"type":"elided"'], ['ACTIVITY_TASK_SCHEDULED', '"type":"summary"'],
    ],
    // No command says what a mark left out, but the budget stops the run at the turn that follows from it.
    planted: { file: 'core/compaction.ts', from: 'bytesOfConversation(state) > conversationBytes;', to: 'false;' },
  },
  'reads within the workflow task': {
    holds: [['MARKER_RECORDED', '"activity_type":"get_page"']],
    planted: { file: 'core/local-read.ts', from: 'state.agent.localReads !== true', to: 'state.agent.localReads === true' },
  },
  'the agent pinned within the first workflow task': {
    holds: [['MARKER_RECORDED', '"pin-locally"'], ['MARKER_RECORDED', '"activity_type":"pinAgent"']],
    planted: { file: 'workflows/steps.ts', from: 'patched(PATCH.pinLocally) ? local : regular', to: 'regular' },
  },
  'what a decision changed, told when it was taken': {
    holds: [[PINNED, '"showsDecisions":true'], ['UPSERT_WORKFLOW_SEARCH_ATTRIBUTES', '"taken_over"']],
    planted: { file: 'workflows/people.ts', from: 'if (state.agent.showsDecisions) show(state);', to: '' },
  },
  'the cost among the search attributes': {
    holds: [['UPSERT_WORKFLOW_SEARCH_ATTRIBUTES', '"CaseworkerCost":'], ['UPSERT_WORKFLOW_SEARCH_ATTRIBUTES', '"CaseworkerCurrency":']],
    planted: { file: 'workflows/presence.ts', from: 'if (changed.length > 0)', to: 'if (changed.length + costPairs(state).length > 0)' },
  },
  'a call in doubt that a person had made again': {
    holds: [['WORKFLOW_EXECUTION_UPDATE_ACCEPTED', '"outcome":"retry"'], ['ACTIVITY_TASK_SCHEDULED', '"retryOf":"1.1"']],
    planted: { file: 'core/settle.ts', from: '{ ...lost, id: orderId(state.turn, orderCount) }', to: '{ ...lost }' },
  },
  'a model call that a person cut short, and what it cost': {
    holds: [[PINNED, '"waitsForCuts":true'], ['WORKFLOW_EXECUTION_UPDATE_ACCEPTED', '"now":true'], ['ACTIVITY_TASK_CANCELED', '"unknownBilling":1']],
    planted: { file: 'workflows/steps.ts', from: 'state.cutThinks ? `think-${turn}-${state.cutThinks}` : ', to: '' },
  },
  'a turn that is open when the run continues as new': {
    holds: [['WORKFLOW_EXECUTION_CONTINUED_AS_NEW', '"open":{']],
    planted: { file: 'workflows/calls.ts', from: ' || (flying === 0 && historyIsLong(run))', to: '' },
  },
  'a run that began with an open turn': {
    holds: [['WORKFLOW_EXECUTION_STARTED', '"open":{'], ['WORKFLOW_EXECUTION_UPDATE_ACCEPTED', '"name":"approve"']],
    planted: { file: 'core/open-turn.ts', from: 'return state.open !== undefined || readyCalls(state).length > 0;', to: 'return readyCalls(state).length > 0;' },
  },
};

const FORMS = ['function-calling', 'text'] as const;
const folder = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json')).sort();
const Kept = z.object({ events: z.array(z.looseObject({ eventType: z.string() })) });

/** The events of a history as text, with what is in their payloads. */
const textsOf = new Map(files.map((name) => {
  const { events } = Kept.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return [name, events.map((event) => [event.eventType, JSON.stringify(event, readable)] as const)];
}));

function readable(key: string, value: unknown): unknown {
  if (key !== 'data' || typeof value !== 'string') return value;
  const text = Buffer.from(value, 'base64').toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function holders({ holds }: Point): readonly string[] {
  return files.filter((name) => holds.every(([type, text]) => textsOf.get(name)?.some(([is, said]) => type.split('|').some((one) => is === `EVENT_TYPE_${one}`) && said.includes(text))));
}

async function* histories(names: readonly string[]) {
  for (const name of names) yield { id: name, history: historyFromJSON(JSON.parse(readFileSync(join(folder, name), 'utf8'))) };
}

// Each history that breaks is news only to the test.
beforeAll(() => void Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) }));

describe.each(Object.entries(POINTS))('among the kept histories: %s', (_what, point) => {
  test.each(FORMS)('there is at least one that holds it, in each form: %s', (form) => {
    expect(holders(point).filter((name) => name.includes(`${form}-`))).not.toEqual([]);
  });

  test('it tells of a change that would break such runs', async () => {
    const kept = holders(point);
    const broken: string[] = [];
    for await (const { id, problem } of verify({ workflowBundle: await bundleWith(point.planted), histories: histories(kept) })) if (problem !== undefined) broken.push(id);
    expect(broken).toEqual(kept);
  });
});
