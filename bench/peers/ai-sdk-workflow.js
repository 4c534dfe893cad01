import { temporalProvider } from '@temporalio/ai-sdk/workflow';
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { INSTRUCTIONS, TOOL } from '../performance/task.ts';

const OPTIONS = { startToCloseTimeout: '30s' };
const regular = proxyActivities(OPTIONS);
const local = proxyLocalActivities(OPTIONS);

/** The plugin's own way: the model call is its activity, the tool an activity of ours. */
export function aiSdkRegular(task) {
  return loop(task, regular[TOOL.name]);
}

/** The same with the tool as a local activity. */
export function aiSdkLocal(task) {
  return loop(task, local[TOOL.name]);
}

async function loop(prompt, read) {
  const { text } = await generateText({
    model: temporalProvider.languageModel('bench'),
    system: INSTRUCTIONS,
    prompt,
    tools: {
      [TOOL.name]: tool({ description: TOOL.description, inputSchema: z.object({ n: z.number().int() }), execute: (input) => read(input) }),
    },
    stopWhen: stepCountIs(5_000),
  });
  return text;
}
