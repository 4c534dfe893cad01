import { describe, expect, test } from 'vitest';
import { resultText } from '../../activities/result-text.ts';

class Account {
  readonly id = 'A1';
  #secret = 'x';
  toString(): string { return this.#secret; }
}

describe('every value has one text, and none is [object Object]', () => {
  test.each<[string, unknown, string]>([
    ['a string', ' as it is\n', ' as it is\n'],
    ['a number', 0, '0'],
    ['false', false, 'false'],
    ['an object', { status: 'ok', rows: [{ id: 1 }] }, '{"status":"ok","rows":[{"id":1}]}'],
    ['a bigint', 9007199254740993n, '9007199254740993'],
    ['a bigint inside', { total: 10n }, '{"total":"10"}'],
    ['a date', { due: new Date('2024-02-29') }, '{"due":"2024-02-29T00:00:00.000Z"}'],
    ['a date alone', new Date('2024-02-29'), '2024-02-29T00:00:00.000Z'],
    ['a date that is none', { due: new Date('x') }, '{"due":null}'],
    ['a set', { tags: new Set(['a', 'b']) }, '{"tags":["a","b"]}'],
    ['a map with text keys', new Map([['a', 1n]]), '{"a":"1"}'],
    ['a map with other keys', new Map([[1, { b: new Set([2]) }]]), '[[1,{"b":[2]}]]'],
    ['undefined inside', { x: undefined, y: 1 }, '{"y":1}'],
    ['NaN inside', { r: Number.NaN, i: Infinity }, '{"r":null,"i":null}'],
    ['an error', new Error('boom'), 'boom'],
    ['an error inside', { err: new TypeError('boom') }, '{"err":"boom"}'],
    ['an instance', new Account(), '{"id":"A1"}'],
    ['bytes', { file: Buffer.from('abc'), raw: new Uint8Array(2) }, '{"file":"(3 bytes)","raw":"(2 bytes)"}'],
    ['a URL', new URL('https://erp.test/x'), '"https://erp.test/x"'],
    ['big digits in JSON text', '{"id": 9007199254740993}', '{"id": 9007199254740993}'],
    ['a lone surrogate', { a: '\ud83c' }, '{"a":"\\ud83c"}'],
  ])('%s', (_what, value, text) => {
    expect(resultText(value)).toEqual({ kind: 'text', text });
  });

  test.each<[string, unknown]>([['undefined', undefined], ['null', null], ['[]', []], ['{}', {}], ['blanks', '\t'], ['NaN', Number.NaN], ['an empty set', new Set()], ['an empty map', new Map()]])(
    '%s is empty', (_what, value) => {
      expect(resultText(value)).toEqual({ kind: 'empty' });
    },
  );

  test('what cannot be written says why', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const inMap = new Map<string, unknown>();
    inMap.set('self', inMap);
    const throwing = { get x(): never { throw new Error('not now'); } };
    expect(resultText(loop)).toEqual({ kind: 'problem', problem: expect.stringContaining('contains itself') });
    expect(resultText(inMap)).toEqual({ kind: 'problem', problem: expect.stringContaining('contains itself') });
    expect(resultText(throwing)).toEqual({ kind: 'problem', problem: expect.stringContaining('not now') });
    expect(resultText(() => 1)).toEqual({ kind: 'problem', problem: expect.stringContaining('function') });
  });
});
