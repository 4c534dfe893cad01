import type { Item, PersonItem, TodoEntry } from './transcript.ts';

/** What the run is about now: the task's goal, or the newest that a person set. */
export interface CurrentGoal {
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly todo: readonly TodoEntry[];
}

const NOTHING: CurrentGoal = { goal: '', constraints: [], todo: [] };

/** Goal, constraints and to-do list at the end of these items. A decision that was refused changes nothing. */
export function currentGoal(items: readonly Item[]): CurrentGoal {
  return items.reduce(after, NOTHING);
}

function after(now: CurrentGoal, item: Item): CurrentGoal {
  switch (item.type) {
    case 'task': return { ...now, goal: item.goal, constraints: item.constraints };
    case 'summary': return { goal: item.goal, constraints: item.constraints, todo: item.todo };
    case 'person': return item.refused === undefined ? redirected(now, item) : now;
    case 'reply': {
      const todo = item.actions.findLast((action) => action.kind === 'update_todo');
      return todo ? { ...now, todo: todo.items } : now;
    }
    case 'observation':
    case 'held':
    case 'nudge':
    case 'stop':
    case 'elided': return now;
  }
}

function redirected(now: CurrentGoal, { goal, constraints, todo }: PersonItem): CurrentGoal {
  return { goal: goal ?? now.goal, constraints: constraints ?? now.constraints, todo: todo ?? now.todo };
}
