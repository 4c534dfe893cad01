import { expect, test } from 'vitest';
import { SettingError } from '../../worker/errors.ts';
import { createLog, logLevelOf, temporalLogger } from '../../worker/log.ts';

function target(isTTY: boolean) {
  const lines: string[] = [];
  return { lines, write: (text: string) => void lines.push(text), isTTY };
}

test('off a terminal each line is JSON with its level by name', () => {
  const out = target(false);
  createLog('info', out).warn({ runId: 'r1' }, 'careful');
  expect(JSON.parse(out.lines[0] ?? '')).toMatchObject({ level: 'warn', msg: 'careful', runId: 'r1' });
});

test('on a terminal each line can be read', () => {
  const out = target(true);
  createLog('info', out).warn({ runId: 'r1', tries: 2 }, 'careful');
  expect(out.lines[0]).toMatch(/^\d\d:\d\d:\d\d warn careful runId=r1 tries=2\n$/);
});

test('what is below the level is not written', () => {
  const out = target(false);
  const log = temporalLogger(createLog('warn', out));
  log.info('small talk');
  log.log('DEBUG', 'smaller talk');
  log.log('ERROR', 'broken', { error: new Error('why') });
  expect(out.lines).toHaveLength(1);
  expect(JSON.parse(out.lines[0] ?? '')).toMatchObject({ level: 'error', msg: 'broken', error: { message: 'why' } });
});

test('values that JSON cannot hold do not break a log line', () => {
  const out = target(false);
  const circle: Record<string, unknown> = { big: 1n };
  circle['self'] = circle;
  temporalLogger(createLog('warn', out)).warn('odd', circle);
  expect(out.lines[0]).toContain('odd');
});

test('the level is taken from the setting in any case, and a level that does not exist is a usage error', () => {
  expect(logLevelOf({}, 'warn')).toBe('warn');
  expect(logLevelOf({ CASEWORKER_LOG_LEVEL: 'DEBUG' }, 'warn')).toBe('debug');
  expect(() => logLevelOf({ CASEWORKER_LOG_LEVEL: 'loud' }, 'warn')).toThrow(SettingError);
});
