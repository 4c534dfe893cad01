import { cutText } from './data-text.ts';
import type { ReadAction } from './reply.ts';

export type FormatAction = Extract<ReadAction, { kind: 'format' }>;

/** What the model wrote is shown back to it up to this length: the mistake is near the start or it is the length. */
const RAW_CHARS = 1_500;

const TEXT_FORMAT =
  'Reply again in this format:\nThought: one line\nAction: the name of one tool\nAction Input: its arguments as one JSON object\n' +
  'or, when the task is done:\nThought: one line\nFinal Answer: the answer';

/** Something that is not in the format; nothing of it was run. `tool` where the name was clear and only its input was not. */
export function formatProblem(text: string, raw: string, tool?: string): FormatAction {
  return { kind: 'format', problem: 'format', text, raw: cutText(raw, RAW_CHARS), ...(tool === undefined ? {} : { tool }) };
}

export function emptyReply(): FormatAction {
  const text = 'Your reply was empty. Call a tool, give the answer, ask a person, or hand over.';
  return { kind: 'format', problem: 'empty', text, raw: '' };
}

export function refusedReply(refusal: string): FormatAction {
  return { kind: 'format', problem: 'refused', text: `The model refused: ${cutText(refusal.trim(), RAW_CHARS)}`, raw: cutText(refusal, RAW_CHARS) };
}

export function withheldReply(text: string): FormatAction {
  return { kind: 'format', problem: 'withheld', text: "The reply was withheld by the provider's content filter.", raw: cutText(text, RAW_CHARS) };
}

/** A reply that ended in mid-thought: sending its thousands of words back would only make the next one longer. */
export function unclosedReasoning(): FormatAction {
  const text = 'Your reply ended inside a reasoning block, so there was no action and no answer in it. Reply again, and keep the reasoning shorter.';
  return formatProblem(text, '');
}

export function cutReply(raw: string, tool?: string): FormatAction {
  const what = tool === undefined ? 'it was' : `the input of ${tool} was`;
  return formatProblem(`Your reply was cut off at the output limit before ${what} complete. Nothing was run. Reply again, shorter.`, raw, tool);
}

export function noLabel(raw: string): FormatAction {
  return formatProblem(
    `There was neither an "Action:" nor a "Final Answer:" at the start of a line, so nothing was run and nothing was taken as the answer. ${TEXT_FORMAT}`,
    raw,
  );
}

export function noActionNamed(raw: string): FormatAction {
  return formatProblem(`"Action:" must be followed by the name of one tool and nothing else on its line. Nothing was run. ${TEXT_FORMAT}`, raw);
}

export function unreadableInput(tool: string, problem: string, raw: string): FormatAction {
  return formatProblem(
    `The input of ${tool} could not be read: ${problem}. Nothing was run. Write its arguments as one JSON object with double quotes.`,
    raw, tool,
  );
}

/** Something that was meant as a call and is none: as an answer it would end the run with raw markup. */
export function unknownWrapper(problem: string, raw: string): FormatAction {
  return formatProblem(
    `The text of your reply could not be read as a call: ${problem}. Nothing was run, and it was not taken as the answer. Call a function through the function-calling interface, or answer in plain text.`,
    raw,
  );
}
