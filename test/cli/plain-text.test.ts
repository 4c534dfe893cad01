import { describe, expect, test } from 'vitest';
import { labelled, oneLine, plainText, wrap } from '../../cli/plain-text.ts';

describe('text from models, tools and persons on a terminal', () => {
  test('escape sequences and control characters are shown as signs, never sent', () => {
    const hostile = 'a\u001b[2Jb\u001b]0;title\u0007c\u009b31md\u0000e\u007f';
    const shown = plainText(hostile);
    // eslint-disable-next-line no-control-regex -- that none is left is the point
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(shown).toContain('␛[2J');
  });

  test('characters that reverse the reading direction are taken out', () => {
    expect(plainText('pay \u202e001\u2066 now')).toBe('pay \ufffd001\ufffd now');
  });

  test('line breaks of every kind become line breaks, a lone surrogate becomes a replacement character', () => {
    expect(plainText('a\r\nb\rc\u2028d\ud83d')).toBe('a\nb\nc\nd\ufffd');
  });

  test('one megabyte of control characters takes no time to speak of', () => {
    expect(plainText('\u001b'.repeat(1_000_000))).toHaveLength(1_000_000);
  });
});

describe('lines on a terminal', () => {
  test('none is longer than the width, and no word is lost', () => {
    const text = 'The delivery fee of an order that is more than thirty minutes late is paid back in full.';
    const lines = wrap(text, 24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(24);
    expect(lines.join(' ')).toBe(text);
  });

  test('a word that no line can hold is cut into parts, whole characters each', () => {
    expect(wrap('🎉'.repeat(5), 2)).toEqual(['🎉🎉', '🎉🎉', '🎉']);
  });

  test('JSON without spaces is broken after a comma, and no space is put into it', () => {
    const json = '{"order":"88213","status":"delivered","at":"19:02"}';
    const lines = wrap(`got ${json} back`, 30);
    expect(lines).toEqual(['got {"order":"88213",', '"status":"delivered",', '"at":"19:02"} back']);
  });

  test("further lines stand under the first one's text", () => {
    expect(labelled('Task', 'aaa bbb ccc ddd eee fff ggg', { indent: 6, width: 26 })).toEqual([
      'Task  aaa bbb ccc ddd eee',
      '      fff ggg',
    ]);
  });

  test('indentation of the text itself is kept', () => {
    expect(wrap('{\n  "a": 1\n}', 20)).toEqual(['{', '  "a": 1', '}']);
  });

  test('one line is one line, cut with a sign', () => {
    expect(oneLine('a\nb   c', 10)).toBe('a b c');
    expect(oneLine('abcdef', 4)).toBe('abc…');
  });
});
