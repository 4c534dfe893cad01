import type { HandOver, RunResult, Step } from '../core/run.ts';
import type { StopItem } from '../core/transcript.ts';
import { labelled, plainText } from './plain-text.ts';
import { cut, INDENT, place, type TraceMemory, type TraceStyle } from './trace-style.ts';
import { endReasonText, usageText, type KnownLimits } from './words.ts';

/** Why the loop stopped, and what whoever takes over needs. */
export function stopLines(item: StopItem, style: TraceStyle): readonly string[] {
  // A plain answer is told by the end itself.
  if (item.reason === 'final_answer' && !item.resolvedBy) return [];
  const reason = `${endReasonText(item.reason)}${item.detail ? `, ${plainText(item.detail)}` : ''}. ${plainText(item.text)}`;
  return [
    '',
    ...labelled('Stopped', reason, place(style, 9)).map(style.warn),
    ...(item.handOver && item.answer === undefined ? handOverLines(item.handOver, style) : []),
  ];
}

export function handOverLines(handOver: HandOver, style: TraceStyle): readonly string[] {
  const steps = (label: string, list: readonly Step[]): readonly string[] =>
    list.flatMap(({ call, tool, args, outcome }, i) =>
      labelled(
        i === 0 ? label : '',
        `${call} ${tool} ${cut(JSON.stringify(args), 120)}: ${plainText(cut(outcome, 240))}`,
        place(style, INDENT),
      ),
    );
  return [
    ...(handOver.queue ? labelled('  Queue', plainText(handOver.queue), place(style, INDENT)) : []),
    ...steps('  Done', handOver.done),
    ...steps('  In doubt', handOver.inDoubt),
    ...handOver.remains.flatMap((what, i) =>
      labelled(i === 0 ? '  Remains' : '', plainText(what), place(style, INDENT)),
    ),
    // Never wrapped: it is there to be copied.
    `${'  Next'.padEnd(INDENT)}${style.command(plainText(handOver.next))}${isResumedAfter(handOver) ? ', then resume it' : ''}`,
  ];
}

/** What came of the run, and what it used. */
export function endLines({ budget }: TraceMemory, result: RunResult, style: TraceStyle): readonly string[] {
  const by = result.resolvedBy ? `, the answer is ${plainText(result.resolvedBy.name)}'s` : '';
  const limits: KnownLimits = result.limits ?? (budget ? { budget } : {});
  return [
    '',
    ...(result.answer === undefined
      ? []
      : [...labelled('Answer', answerText(result.answer), place(style, 8)).map(style.bold), '']),
    ...labelled('Ended', `${endReasonText(result.endReason)}${by}`, place(style, 8)),
    ...whyNotStarted(result, style),
    ...labelled('Used', usageText(result.usage, limits), place(style, 8)),
  ];
}

/** A run that never began has no stop in its transcript that could have told the reason. */
function whyNotStarted({ stops }: RunResult, style: TraceStyle): readonly string[] {
  const stop = stops.at(-1);
  return stop?.detail === 'not_started' ? labelled('Why', plainText(stop.text), place(style, 8)).map(style.warn) : [];
}

export function answerText(answer: NonNullable<RunResult['answer']>): string {
  return plainText(typeof answer === 'string' ? answer : JSON.stringify(answer, undefined, 2));
}

/** Its next command switches something on; the run itself still waits. */
export function isResumedAfter({ next }: Pick<HandOver, 'next'>): boolean {
  return next.startsWith('caseworker enable ');
}
