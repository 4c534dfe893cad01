import fc from 'fast-check';
import { expect, test } from 'vitest';
import { functionNames } from '../../models/function-names.ts';

const LEGAL = /^[A-Za-z0-9_-]{1,64}$/;
const anyName = fc.oneof(
  fc.string(), fc.stringMatching(/^[a-z._]{1,80}$/), fc.constantFrom('erp.get', 'erp_get', 'x'.repeat(65), 'x'.repeat(66), '__proto__', 'toString', ''),
);

test('legal names stay themselves', () => {
  expect(functionNames(['get_order', 'get.order']).toWire('get_order')).toBe('get_order');
});

test('every name goes out legal, no two alike, and comes back as it was', () => {
  fc.assert(fc.property(fc.uniqueArray(anyName, { maxLength: 30 }), (names) => {
    const { toWire, fromWire } = functionNames(names);
    const wire = names.map(toWire);
    for (const name of wire) expect(name).toMatch(LEGAL);
    expect(new Set(wire).size).toBe(names.length);
    expect(wire.map(fromWire)).toEqual(names);
  }), { seed: 7 });
});

test('the same name gives the same one whatever stands beside it', () => {
  expect(functionNames(['a.b', 'c.d', 'e']).toWire('a.b')).toBe(functionNames(['a.b']).toWire('a.b'));
});

test('two long names that begin alike stay two', () => {
  const long = `erp.${'x'.repeat(80)}`;
  const { toWire } = functionNames([`${long}.1`, `${long}.2`]);
  expect(toWire(`${long}.1`)).not.toBe(toWire(`${long}.2`));
});

test('a legal name that looks like a mapped one does not take its place', () => {
  const squatter = functionNames(['a.b']).toWire('a.b');
  const { toWire, fromWire } = functionNames(['a.b', squatter]);
  expect(toWire('a.b')).not.toBe(squatter);
  expect(fromWire(squatter)).toBe(squatter);
  expect(fromWire(toWire('a.b'))).toBe('a.b');
});

test('a name that was never sent comes back as it is, and one from an old turn goes out legal', () => {
  const { toWire, fromWire } = functionNames(['get_order']);
  expect(fromWire('constructor')).toBe('constructor');
  expect(toWire('cancel.subscription!')).toMatch(LEGAL);
});
