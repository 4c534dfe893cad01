import { z } from 'zod';
import { defineAgent, defineTool } from '../../index.ts';

const HOURS = new Map([['pune', 'Pune: 09:00 to 21:00, every day'], ['goa', 'Goa: 10:00 to 18:00, closed on Mondays']]);

const getHours = defineTool({
  name: 'get_hours',
  description: 'Opening hours of the shop in a city.',
  input: z.object({ city: z.string().describe('e.g. Pune') }),
  effect: 'read',
  emptyText: ({ city }) => `There is no shop in ${city}. There are shops in Pune and Goa.`,
  run: ({ city }) => HOURS.get(city.toLowerCase()),
});

export default [
  defineAgent({
    name: 'my-agent', version: '1', tools: [getHours],
    instructions: 'You answer when our shops are open. Look it up, then answer in one sentence.',
  }),
];
