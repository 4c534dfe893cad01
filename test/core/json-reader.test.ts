import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactNumber } from '../../core/exact-number.ts';
import { JSON_DEPTH_MAX, readJson } from '../../core/json-reader.ts';

const REPAIR = { repair: true };

function value(text: string, options = {}): unknown {
  const read = readJson(text, 0, options);
  return read.ok ? read.value : `${read.message} @${read.line}:${read.column}`;
}

/** What JSON.parse gives, but for whole numbers that it may have rounded: those are kept as the text of their digits. */
function unsafeAsText(_key: string, each: unknown): unknown {
  return typeof each === 'number' && !Number.isSafeInteger(each) && /^-?\d+$/.test(String(each)) ? String(each) : each;
}

test('every JSON text without duplicate keys reads as JSON.parse reads it', () => {
  fc.assert(fc.property(fc.json(), (text) => {
    const read = readJson(text);
    expect(read.ok).toBe(true);
    if (read.ok) expect(JSON.stringify(read.value)).toBe(JSON.stringify(JSON.parse(text, unsafeAsText)).replace(/\\ud[89a-f]../g, '\ufffd'));
  }));
});

test('a text that JSON.parse refuses is refused, and nothing is thrown', () => {
  fc.assert(fc.property(fc.string(), (text) => {
    const read = readJson(text);
    const isWhole = read.ok && text.slice(read.end).trim() === '';
    if (!isWhole) return;
    expect(() => void JSON.parse(text)).not.toThrow();
  }));
});

test('no beginning of an object is read as the object', () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (object, cut) => {
    const text = JSON.stringify(object);
    expect(readJson(text.slice(0, cut % text.length), 0, REPAIR).ok).toBe(false);
  }));
});

describe('braces and quotes inside strings are text', () => {
  test.each([
    ['{"memo":"a } in text"} rest', { memo: 'a } in text' }, 22],
    ['{"a":"\\"}"}', { a: '"}' }, 11],
    ['  {"a":{"b":[{"c":1}]}}', { a: { b: [{ c: 1 }] } }, 23],
  ])('%s', (text, expected, end) => {
    expect(readJson(text)).toEqual({ ok: true, value: expected, end, repairs: [] });
  });
});

describe('numbers keep their digits', () => {
  test.each([
    ['8812345678901234567', '8812345678901234567'],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740991', 9_007_199_254_740_991],
    ['0.1', 0.1], ['10.50', 10.5], ['1e2', 100], ['-0.0', -0], ['1E400', '1E400'], ['0e999999999', 0],
    ['0.10000000000000000001', '0.10000000000000000001'],
    ['12345678901234567890.5', '12345678901234567890.5'],
    ['1e-400', '1e-400'], ['5e-324', 5e-324],
  ])('%s', (text, expected) => {
    expect(exactNumber(text)).toBe(expected);
    expect(value(`{"n":${text}}`)).toEqual({ n: expected });
  });
});

describe('a problem names its place', () => {
  test.each([
    ['{"a":1,}', 'a comma before the closing bracket @1:7'],
    ['{\n  "a": 1\n  "b": 2\n}', 'a comma or } should be here @3:3'],
    ['{"a":"x', 'a string that begins here is never closed @1:6'],
    ['{"a":', 'the text ends where a value should be @1:6'],
    ['{"a":1,"a":2}', 'the key "a" comes twice @1:8'],
    ["{'a':1}", 'a string in single quotes: JSON wants double quotes @1:2'],
    ['{"a":True}', 'no JSON value begins with "True" @1:6'],
    ['{"a":007}', 'no JSON value begins with "007" @1:6'],
    ['{"a":2024-02-29}', 'no JSON value begins with "2024-02-29" @1:6'],
    ['{"a":NaN}', 'no JSON value begins with "NaN" @1:6'],
    ['{a:1}', 'a key in double quotes should be here @1:2'],
    ['{"a":"x\ny"}', 'a line break or control character inside a string: write \\n @1:8'],
    ['{"a":"\\x41"}', 'JSON has no escape \\x @1:7'],
  ])('%s', (text, problem) => {
    expect(value(text)).toBe(problem);
  });
});

describe('what has one certain meaning is mended where that is allowed, and said', () => {
  test.each([
    ['{"a":[1,2,],}', { a: [1, 2] }, ['trailing comma']],
    ['{"a":True,"b":None,"c":False}', { a: true, b: null, c: false }, ['Python literal']],
    [`{'names': ['Acme', "O'Neil Ltd"]}`, { names: ['Acme', "O'Neil Ltd"] }, ['single quotes']],
    [String.raw`{'it\'s':'a\n"b"'}`, { "it's": 'a\n"b"' }, ['single quotes']],
    [String.raw`{"a":"it\'s"}`, { a: "it's" }, ["escaped '"]],
    ['{"a":"x\ny"}', { a: 'x\ny' }, ['raw control character in a string']],
  ])('%s', (text, expected, repairs) => {
    expect(readJson(text, 0, REPAIR)).toMatchObject({ ok: true, value: expected, repairs });
    expect(readJson(text).ok).toBe(false);
  });

  test.each(['{"a":(1,2)}', "{'a':u'x'}", "{'a':'x' 'y'}", "{'a':'\\/'}", '{1:2}', '[,]', '{,}', '[1,,2]', '{"a":undefined}', '{"a":1 "b":2}', '{"a":.5}'])(
    '%s has no certain meaning and is refused',
    (text) => expect(readJson(text, 0, REPAIR).ok).toBe(false),
  );
});

test('__proto__ and constructor are plain own keys', () => {
  const read = readJson('{"__proto__":{"admin":true},"constructor":1,"a":2}');
  if (!read.ok || typeof read.value !== 'object' || read.value === null) throw new Error('not read');
  expect(Object.keys(read.value)).toEqual(['__proto__', 'constructor', 'a']);
  expect(Object.getPrototypeOf(read.value)).toBe(Object.prototype);
  expect('admin' in read.value).toBe(false);
});

test('nesting has an end, and reaching it is a value, no exception', () => {
  expect(readJson(`${'['.repeat(JSON_DEPTH_MAX)}${']'.repeat(JSON_DEPTH_MAX)}`).ok).toBe(true);
  for (const open of ['[', '{"a":']) expect(readJson(open.repeat(500_000))).toMatchObject({ ok: false, message: `nested deeper than ${JSON_DEPTH_MAX} levels` });
});

test('a lone surrogate becomes the replacement character, pairs stay', () => {
  expect(value('"\\ud83c x \\ud83d\\ude00"')).toBe('\ufffd x 😀');
});

test('reading begins where it is told to', () => {
  expect(readJson('Input: [1] and', 7)).toEqual({ ok: true, value: [1], end: 10, repairs: [] });
});
