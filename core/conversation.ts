import type { Form } from './agent.ts';
import { wellFormed } from './data-text.ts';
import { functionReply, isFunctionCall, promptCallId } from './prompt-functions.ts';
import {
  missingObservation, observationText, ownObservationText, personText, summaryText, taskText,
} from './prompt-items.ts';
import { textReply } from './prompt-text.ts';
import type { PromptMessage } from './reply.ts';
import type { Action, Item, ObservationItem, ReplyItem } from './transcript.ts';

/** A piece of the conversation; neighbouring user pieces become one message. */
export interface Part {
  readonly message: PromptMessage;
}

export function userPart(text: string): Part {
  return { message: { role: 'user', text: wellFormed(text) } };
}

/** Everything between the system message and the reminder. A turn is a reply and what follows it up to the next one. */
export function conversation(form: Form, items: readonly Item[]): readonly Part[] {
  const parts: Part[] = [];
  let turn: Item[] = [];
  for (const item of items) {
    if (item.type === 'reply') {
      parts.push(...turnParts(form, turn));
      turn = [];
    }
    turn.push(item);
  }
  return [...parts, ...turnParts(form, turn)];
}

/**
 * Observations stand right behind their reply, in its order, whatever came in between: a person may write while tools
 * run. One that belongs to no action of this reply (a late result) is shown for what it is, in its place.
 */
function turnParts(form: Form, items: readonly Item[]): readonly Part[] {
  const [reply, ...rest] = items;
  if (reply?.type !== 'reply') return items.flatMap(otherParts);
  const observations = new Map<string, ObservationItem>();
  const others = rest.filter((item) => {
    const isAnswer = item.type === 'observation' && !observations.has(item.call) &&
      reply.actions.some(({ id }) => id === item.call);
    if (isAnswer) observations.set(item.call, item);
    return !isAnswer;
  });
  const answered = reply.actions.map((action) => answerPart(form, reply, action, observations.get(action.id)));
  const isTool = ({ message }: Part) => message.role === 'tool';
  return [
    ...replyParts(form, reply), ...answered.filter(isTool), ...answered.filter((part) => !isTool(part)),
    ...others.flatMap(otherParts),
  ];
}

function replyParts(form: Form, reply: ReplyItem): readonly Part[] {
  const message = form === 'text' ? textReply(reply) : functionReply(reply);
  if (message?.role !== 'assistant') return [];
  return [{ message: { ...message, text: wellFormed(message.text) } }];
}

function answerPart(form: Form, reply: ReplyItem, action: Action, came: ObservationItem | undefined): Part {
  const observation = came ?? missingObservation(action.id);
  const text = action.kind === 'call' ? observationText(observation) : ownObservationText(observation);
  if (form === 'text') return userPart(`Observation: ${text}`);
  if (!isFunctionCall(action, reply)) return userPart(text);
  return { message: { role: 'tool', callId: promptCallId(action.id), text: wellFormed(text) } };
}

/** Items that are no reply and no answer to one. What a stop says is for people. */
function otherParts(item: Item): readonly Part[] {
  switch (item.type) {
    case 'task': return [userPart(taskText(item))];
    case 'summary': return [userPart(summaryText(item))];
    case 'observation': return [userPart(`${item.by ? `A person (${item.by.name}) ran ${item.tool} while holding the run` : 'A late result'}: ${observationText(item)}`)];
    case 'nudge': return [userPart(`Note: ${item.text}`)];
    case 'person': {
      const text = personText(item);
      return text === undefined ? [] : [userPart(text)];
    }
    case 'reply':
    case 'stop':
    case 'held':
    case 'elided': return [];
  }
}
