import { defineAgent } from '../../index.ts';
import { lookup, multiply } from './tools.ts';

export const population = defineAgent({
  name: 'population',
  version: '1',
  instructions: 'You answer questions about how many people live where. Look numbers up and multiply with the tool; never from memory.',
  tools: [lookup, multiply],
});
