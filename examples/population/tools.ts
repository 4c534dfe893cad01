import { z } from 'zod';
import { defineTool } from '../../index.ts';

const PEOPLE: Readonly<Record<string, string>> = {
  france: 'France has about 68 million people (68,000,000).',
  germany: 'Germany has about 84 million people (84,000,000).',
  india: 'India has about 1,430 million people (1,430,000,000).',
  japan: 'Japan has about 124 million people (124,000,000).',
  spain: 'Spain has about 48 million people (48,000,000).',
};

export const lookup = defineTool({
  name: 'lookup',
  description: 'How many people live in a country.',
  input: z.object({ topic: z.string().min(1).max(200).describe('A country, e.g. France') }),
  effect: 'read',
  emptyText: ({ topic }) => `Nothing is known about "${topic}". Known countries: ${Object.keys(PEOPLE).join(', ')}.`,
  run: ({ topic }) => {
    const words = topic.toLowerCase().split(/[^a-z]+/);
    return Object.entries(PEOPLE).find(([country]) => words.includes(country))?.[1];
  },
});

export const multiply = defineTool({
  name: 'multiply',
  description: 'The product of two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  effect: 'read',
  run: ({ a, b }) => a * b,
});
