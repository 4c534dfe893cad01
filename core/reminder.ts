import type { Form } from './agent.ts';
import type { CurrentGoal } from './current-goal.ts';
import { cutText, DATA_MARK, dataLines, oneLine } from './data-text.ts';

/** The reminder is sent again with every call, so each part of it is bounded; the whole goal stands further up. */
const GOAL_CHARS = 2_000;
const LINE_CHARS = 500;
const OPEN_ITEMS = 30;

const REPLY_WITH: Record<Form, string> = {
  text: 'Reply with one "Thought:" line and then exactly one "Action:", or with "Final Answer:" when the goal is reached.',
  'function-calling':
    'Reply with one line of thought and the next call or calls, or with the final answer when the goal is reached.',
};

/** The end of every prompt: what models forget first in a long conversation. */
export function reminderText(form: Form, { goal, constraints, todo }: CurrentGoal): string {
  const open = todo.filter(({ done }) => !done).map(({ text }) => text);
  return [
    'Reminder',
    'Goal:',
    dataLines(cutText(goal, GOAL_CHARS)),
    ...listed('Constraints:', constraints, LINE_CHARS),
    ...listed('Open to-do items:', open.slice(0, OPEN_ITEMS), LINE_CHARS),
    REPLY_WITH[form],
  ].join('\n');
}

/** A heading and one marked line of at most `max` characters for each text; nothing when there are none. */
export function listed(heading: string, texts: readonly string[], max: number): readonly string[] {
  if (texts.length === 0) return [];
  return [heading, ...texts.map((text) => `${DATA_MARK}- ${oneLine(text, max)}`)];
}
