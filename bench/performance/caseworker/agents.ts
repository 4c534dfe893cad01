import { z } from 'zod';
import type { Form } from '../../../core/agent.ts';
import { defineAgent } from '../../../tools/define-agent.ts';
import { defineTool } from '../../../tools/define-tool.ts';
import { INSTRUCTIONS, recordText, TOOL } from '../task.ts';

/** The same agent in both forms. Limits are out of the way: what is measured is the loop. */
function agent(name: string, form: Form, local = true) {
  return defineAgent({
    name, version: '1', instructions: INSTRUCTIONS, form, onStop: 'end', tools: [getRecord(local)],
    limits: { turns: 5_000, timeLimit: '24h', budget: '1000000000 tokens' },
  });
}

function getRecord(local: boolean) {
  return defineTool({
    name: TOOL.name, description: TOOL.description, effect: 'read', local, input: z.object({ n: z.number().int() }), run: ({ n }) => recordText(n),
  });
}

export const AGENTS = [
  agent('functions', 'function-calling'), agent('text', 'text'),
  agent('functions-regular', 'function-calling', false), agent('text-regular', 'text', false),
];

/** For the command line, which takes a module's default export. */
export default AGENTS;
