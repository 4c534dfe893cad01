import { expect, test } from 'vitest';
import { paceOf } from '../../worker/pace.ts';
import { openDesk } from '../support/desk.ts';
import { historyOf } from '../support/histories.ts';
import type { History } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';

const say = speaker('function-calling');

test.each(['0', '-1', 'fast', '1e9', '5 per second'])('a pace of "%s" is refused with the setting\'s name and an example', (text) => {
  expect(() => paceOf({ CASEWORKER_ACTIVITIES_PER_SECOND: text })).toThrow(/CASEWORKER_ACTIVITIES_PER_SECOND.*e\.g\. 5 or 0\.5/);
});

test('without a setting nothing is held back; with one it is a number', () => {
  expect(paceOf({})).toBeUndefined();
  expect(paceOf({ CASEWORKER_ACTIVITIES_PER_SECOND: '0.5' })).toBe(0.5);
});

test('the server holds model calls back to the pace of their task queue: it is no limiter of a worker', { timeout: 60_000 }, async () => {
  const desk = await openDesk({ script: [say.answer('It is done.')], activitiesPerSecond: PACE });
  const ids = Array.from({ length: 6 }, (_, i) => `pace-${i}`);
  await Promise.all(ids.map((id) => desk.run({ id, agent: 'desk', task: 'Say that it is done.' })));
  const histories = await Promise.all(ids.map((id) => historyOf(desk.temporal, id)));
  const startsMs = histories.flatMap(startsIn);
  const heldBackS = (Math.max(...startsMs) - Math.min(...startsMs)) / 1_000;
  // Some start at once, as the server's limiter allows; nothing but that limiter sets a least time for the rest.
  expect(heldBackS).toBeGreaterThan((startsMs.length - BURST) / PACE);
});

const PACE = 2;
const BURST = 6;

function startsIn({ events }: History): readonly number[] {
  return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started, eventTime }) =>
    started ? [Number(eventTime?.seconds) * 1_000 + Number(eventTime?.nanos) / 1e6] : [],
  );
}
