import { labelsOf } from './text-labels.ts';

export interface Beside {
  readonly thought: string;
  readonly answers: boolean;
  /** Characters of an observation that the model wrote itself, and of all behind it. */
  readonly inventedChars: number;
}

/** Text beside calls, without the labels of the other form and without what follows an action or observation in it. */
export function thoughtBeside(content: string): Beside {
  const labels = labelsOf(content);
  const invented = labels.find(({ kind }) => kind === 'observation')?.start ?? content.length;
  const end = labels.find(({ kind }) => kind === 'action' || kind === 'input' || kind === 'observation')?.start ?? content.length;
  let thought = '';
  let from = 0;
  for (const { start, value } of labels.filter((label) => label.start < end)) {
    thought += content.slice(from, start);
    from = value;
  }
  thought += content.slice(Math.min(from, end), end);
  return {
    thought: thought.trim(),
    answers: labels.some(({ kind, start }) => kind === 'answer' && start < end),
    inventedChars: content.length - invented,
  };
}
