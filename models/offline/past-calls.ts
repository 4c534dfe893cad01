import type { JsonObject } from '../../core/json.ts';
import type { ChatMessage } from './chat-body.ts';
import { unmarked } from './data-lines.ts';
import { parsed } from './offered-tools.ts';

/** A call that was made and what came of it. */
export interface PastCall {
  /** As the observation names itself, `3.1`; '' when it does not. */
  readonly id: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** `ok`, `empty`, `error`, … */
  readonly status: string;
  readonly text: string;
}

/** Calls of the function-calling form, each with the tool message that answers it. */
export function pastFunctionCalls(talk: readonly ChatMessage[]): readonly PastCall[] {
  const answers = new Map(talk.flatMap(({ toolCallId, text }) => (toolCallId === undefined ? [] : [[toolCallId, text] as const])));
  return talk.flatMap(({ calls }) => calls.map(({ id, name, argumentsText }) => ({
    tool: name, args: parsed(argumentsText) ?? {}, ...observation(answers.get(id) ?? ''),
  })));
}

const LABEL = /^(Thought|Action|Action Input|Observation|Final Answer):[ \t]*(.*)$/;
/** What may stand behind an observation in the same message. */
const OTHER_PART = /^(?:Note: |A person \(|A late result: |Reminder$)/;

interface Labelled {
  readonly label: string;
  readonly text: string;
}

/** Calls of the text form, wherever in the messages their labels stand. */
export function pastTextCalls(talk: readonly ChatMessage[]): readonly PastCall[] {
  const calls: PastCall[] = [];
  let action: string | undefined;
  let input = '';
  for (const { label, text } of talk.flatMap((message) => labelled(message.text))) {
    if (label === 'Action') {
      action = text.trim();
      input = '';
    } else if (label === 'Action Input') input = text;
    else if (label === 'Observation' && action !== undefined) {
      calls.push({ ...textCall(action, input), ...observation(text) });
      action = undefined;
    }
  }
  return calls;
}

function textCall(action: string, input: string): Pick<PastCall, 'tool' | 'args'> {
  const [, tool = action, bare = ''] = /^([A-Za-z0-9_.-]+)[[(](.*)[\])]$/.exec(action) ?? [];
  return { tool, args: parsed(input === '' ? bare : input) ?? (bare === '' ? {} : { '': bare }) };
}

function labelled(text: string): readonly Labelled[] {
  const parts: Labelled[] = [];
  let label = '';
  let lines: string[] = [];
  const close = () => parts.push({ label, text: lines.join('\n').trimEnd() });
  for (const line of text.split('\n')) {
    const [, next, rest = ''] = LABEL.exec(line) ?? [];
    if (next === undefined && !OTHER_PART.test(line)) {
      lines.push(line);
      continue;
    }
    close();
    label = next ?? '';
    lines = next === undefined ? [] : [rest];
  }
  close();
  return parts;
}

function observation(text: string): Pick<PastCall, 'id' | 'status' | 'text'> {
  const [head = '', id = '', status = 'ok'] = /^\[(\d{1,9}\.\d{1,9}) ([a-z]+)\]\n?/.exec(text) ?? [];
  return { id, status, text: unmarked(text.slice(head.length)).trim() };
}
