import { callWith, decideCalls, LOOP_ACTIONS } from './decision.ts';
import type { Skill } from './decision.ts';
import { HOW_TO_SET_A_MODEL } from './introduce.ts';
import type { OfferedTool } from './offered-tools.ts';
import type { View } from './view.ts';
import { want } from './want.ts';

const READS = /^(?:get|find|look|search|read|check|list|show|fetch|count|convert)/i;

/** Any tool that reads and takes one thing: calls it with what the task names and shows what it returned, no more. */
export const plainLookUp: Skill = (view) => {
  const reads = view.tools.filter(({ name, required }) => READS.test(name) && required.length === 1 && !LOOP_ACTIONS.includes(name));
  const best = reads.length === 1 ? reads[0] : closest(reads, view);
  const thing = thingIn([...view.persons].reverse().concat(view.goal));
  if (!best || thing === undefined) return undefined;
  const found = want(view, callWith(best, thing));
  if ('call' in found) return decideCalls(view, `${best.name} may know about ${thing}.`, [found.call]);
  return { thought: `${best.name} has answered.`, answer: `${best.name} says: ${found.text}\n(${HOW_TO_SET_A_MODEL})` };
};

/** The tool that shares most words with the task; none when no tool shares any. */
function closest(tools: readonly OfferedTool[], view: View): OfferedTool | undefined {
  const scored = tools.map((tool) => ({ tool, score: wordsShared(tool, view) })).filter(({ score }) => score > 0);
  return scored.sort((a, b) => b.score - a.score)[0]?.tool;
}

function wordsShared({ name, description }: OfferedTool, { goal }: View): number {
  const words = (text: string) => new Set(text.toLowerCase().split(/[^a-z]+/).filter((word) => word.length > 2).map((word) => word.replace(/s$/, '')));
  const own = words(`${name.replaceAll('_', ' ')} ${description}`);
  return [...words(goal)].filter((word) => own.has(word)).length;
}

/** What the task names: something in quotes, an id, or a name in capitals. */
function thingIn(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const found = /["“']([^"”'\n]{1,80})["”']/.exec(text)?.[1] ??
      /\b[A-Za-z]*-?\d[\w-]*/.exec(text)?.[0] ?? /\s([A-Z][a-z]+(?: [A-Z][a-z]+)*)/.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
