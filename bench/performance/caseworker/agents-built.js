import { z } from 'zod';
import { defineAgent, defineTool } from '../../../dist/index.js';

/** The agent of agents.ts for the built package, which runs without a TypeScript loader. */
const getRecord = defineTool({
  name: 'get_record', description: 'One record by its number.', effect: 'read', local: true, input: z.object({ n: z.number().int() }), run: ({ n }) => `<record ${n}>`,
});

export default [
  defineAgent({ name: 'functions', version: '1', instructions: 'You read records at a desk. Read one record a turn with get_record.', onStop: 'end', tools: [getRecord] }),
];
