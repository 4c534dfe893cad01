import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evidenceOf } from '../../core/evidence.ts';
import type { Evidence } from '../../core/evidence.ts';
import type { JsonObject } from '../../core/json.ts';
import { BUILT_IN } from '../../core/names.ts';
import type { Item, ObservationStatus } from '../../core/transcript.ts';
import { toolFacts } from '../support/pinned-agent.ts';
import { USED } from '../support/simulated-run.ts';

const TOOLS = [toolFacts({ name: 'get_order' }), toolFacts({ name: 'find', confirmsArguments: true }), toolFacts({ name: 'refund', effect: 'once' })];

interface Step {
  readonly tool: string;
  readonly asked: string;
  readonly said: readonly string[];
  readonly status: ObservationStatus;
  readonly person: string | null;
  /** Call that a recall asks for. */
  readonly recalled: number;
}

const word = fc.constantFrom('88213', 'INV-2041', '₹25', 'Kim Lee', 'a_b', 'late', 'K-7');
const status = fc.constantFrom<ObservationStatus>('ok', 'ok', 'ok', 'empty', 'error', 'unknown', 'denied');
const step: fc.Arbitrary<Step> = fc.record({
  tool: fc.constantFrom('get_order', 'find', 'refund', BUILT_IN.recall), asked: word, said: fc.array(word, { maxLength: 4 }), status,
  person: fc.option(word), recalled: fc.nat({ max: 8 }),
});

function transcript(steps: readonly Step[]): readonly Item[] {
  return steps.flatMap(({ tool, asked, said, status: how, person, recalled }, i): readonly Item[] => {
    const call = `${i + 1}.1`;
    const args: JsonObject = tool === BUILT_IN.recall ? { id: `${Math.min(recalled, i) + 1}.1` } : { of: asked };
    return [
      { type: 'reply', turn: i + 1, actions: [{ kind: 'call', id: call, tool, args, hash: call, needsApproval: false }], notes: [], usage: USED },
      { type: 'observation', call, tool, status: how, text: said.join(' and '), seen: [], hash: call, ms: 1 },
      ...(person === null ? [] : [{ type: 'person', verb: 'message', by: { name: 'Ann', verified: false }, id: call, text: person } as const]),
    ];
  });
}

function plain({ words, found, echoed, texts }: Evidence) {
  return { words: [...words], found: [...found], echoed: [...echoed], texts: [...texts] };
}

function reads(count: number): readonly Step[] {
  return Array.from({ length: count }, (_, i) => ({ tool: 'get_order', asked: 'late', said: [`N-${i}`], status: 'ok', person: null, recalled: 0 }));
}

/** Items that nobody has read yet. */
function unread(items: readonly Item[]): readonly Item[] {
  return items.map((item) => ({ ...item }));
}

describe('evidence that grows with its run', () => {
  test('is what a first reading finds, whichever lengths were asked for before', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), fc.array(fc.nat(), { maxLength: 8 }), (steps, lengths) => {
        const items = transcript(steps);
        for (const length of [...lengths.map((n) => n % (items.length + 1)), items.length]) {
          const part = items.slice(0, length);
          expect(plain(evidenceOf(part, TOOLS))).toEqual(plain(evidenceOf(unread(part), TOOLS)));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is another one where a retried turn goes another way, and where a summary has left the beginning behind', () => {
    const items = transcript(reads(6));
    expect([...evidenceOf(items, TOOLS).words]).toContain('n-5');
    const other = [...items.slice(0, 4), ...unread(transcript([{ tool: 'find', asked: 'K-7', said: ['X-9'], status: 'ok', person: null, recalled: 0 }]))];
    expect([...evidenceOf(other, TOOLS).words]).toEqual(['n-0', '0', 'n-1', '1', 'x-9', '9']);
    expect([...evidenceOf(items.slice(4), TOOLS).words]).not.toContain('n-0');
    expect([...evidenceOf(items, TOOLS).words]).toContain('n-5');
  });

  test('reads what is new: a late turn looks at no more items than an early one', () => {
    let looks = 0;
    const counted = (item: Item): Item => new Proxy(item, { get: (target, key, self) => {
      looks += 1;
      return Reflect.get(target, key, self) as unknown;
    } });
    const items = transcript(reads(300)).map(counted);
    const looksFor = (length: number) => {
      const before = looks;
      expect(evidenceOf(items.slice(0, length), TOOLS).words).toContain('n-0');
      return looks - before;
    };
    looksFor(20);
    const early = looksFor(22);
    looksFor(580);
    expect(early).toBeGreaterThan(0);
    expect(looksFor(582)).toBe(early);
  });
});
