import { builtInAction, builtInFromText } from './built-in-actions.ts';
import { mayRepair } from './call-arguments.ts';
import type { ReadableTool } from './call-arguments.ts';
import { isBuiltIn, isTool, resolveName } from './call-names.ts';
import { requiredFields } from './example-call.ts';
import { cutReply, noActionNamed, noLabel, unreadableInput } from './format-problem.ts';
import type { ReadAction } from './reply.ts';
import { readBracketed, readTextInput } from './text-input.ts';
import type { TextInput } from './text-input.ts';
import { withoutOpenBold } from './text-labels.ts';
import type { Label } from './text-labels.ts';

/** A reply from its start, with the label that decides and those behind it. */
export interface Section {
  readonly text: string;
  readonly tools: readonly ReadableTool[];
  /** The output limit ended the reply here. */
  readonly isCutOff: boolean;
  readonly label: Label;
  readonly next: readonly Label[];
}

/** The action or answer that a label introduces. A problem that concerns no tool shows the whole reply. */
export function readDecision(section: Section): ReadAction {
  switch (section.label.kind) {
    case 'answer': return readAnswer(section);
    case 'action': return readAction(section);
    default: return noActionNamed(section.text.trim());
  }
}

/** An answer may hold lines that look like labels; only a further thought or answer shows that it is over. */
function readAnswer({ text, label, next, isCutOff }: Section): ReadAction {
  const over = next.find(({ kind }) => kind === 'thought' || kind === 'answer');
  if (isCutOff && !over) return cutReply(text.trim());
  const answer = withoutOpenBold(text.slice(label.value, over?.start ?? text.length), label.openBold);
  return answer === '' ? noLabel(text.trim()) : { kind: 'final_answer', text: answer };
}

const NAME = /[\s*`"']{0,40}([A-Za-z0-9_.-]{1,128})[*`"']{0,3}[ \t]*/y;
/** An opening fence on the way to the name. */
const FENCE_LINE = /^\s{0,40}```[A-Za-z]{0,20}[ \t]*\n/;
const NOTHING = /^(?:none|null|nothing|no|n|na)$/i;

function readAction(section: Section): ReadAction {
  const { text, label, next, tools, isCutOff } = section;
  const whole = text.trim();
  const value = text.slice(label.value, next[0]?.start ?? text.length).replace(FENCE_LINE, '');
  NAME.lastIndex = 0;
  const written = NAME.exec(value)?.[1];
  if (written === undefined) return isCutOff && value.trim() === '' ? cutReply(whole) : noActionNamed(whole);
  const at = NAME.lastIndex;
  const name = resolveName(written, tools);
  const isKnown = isTool(name, tools) || isBuiltIn(name);
  const input = readInput(section, { value, at, name });
  if (!input || (!isKnown && NOTHING.test(name))) return noActionNamed(whole);
  return actionOf(name, input, section);
}

interface Named {
  readonly value: string;
  /** Index behind the name. */
  readonly at: number;
  readonly name: string;
}

/** The input in whichever format it comes; `undefined` when prose follows the name. */
function readInput(section: Section, { value, at, name }: Named): TextInput | undefined {
  const repair = mayRepair(name, section.tools);
  const sign = value.charAt(at);
  const isBracket = sign === '[' || (sign === '(' && !isAside(value, at));
  const inLabel = labelledInput(section, repair);
  if (isBracket) return oneOf(readBracketed(value, at, repair), inLabel);
  if (sign === '{') return oneOf(readTextInput(value.slice(at), repair), inLabel);
  if (sign !== '' && sign !== '\n') return undefined;
  return inLabel ?? unlabelledInput(value.slice(at), section, repair);
}

/** `get_order (to see the fee)`: prose in brackets, set off by a blank. */
function isAside(value: string, at: number): boolean {
  return /[ \t]/.test(value.charAt(at - 1)) && !/^\(\s{0,20}[{)]/.test(value.slice(at, at + 30));
}

/** What stands behind the `Action Input:` that follows the action. */
function labelledInput({ text, next }: Section, repair: boolean): TextInput | undefined {
  const [label, after] = next;
  if (label?.kind !== 'input') return undefined;
  return readTextInput(text.slice(label.value, after?.start ?? text.length), repair);
}

/** Input in brackets and behind a label: certain only when one is empty or both say the same. */
function oneOf(short: TextInput, labelled: TextInput | undefined): TextInput {
  if (!labelled || labelled.kind === 'none' || short.kind === 'problem') return short;
  if (short.kind === 'none' || sameInput(short, labelled)) return labelled;
  const raw = 'raw' in labelled ? labelled.raw : '';
  return { kind: 'problem', problem: 'there are two different inputs, one in brackets and one behind "Action Input:"', raw, isCut: false };
}

function sameInput(short: TextInput, labelled: TextInput): boolean {
  if (short.kind === 'none' || labelled.kind === 'none') return false;
  if (short.raw === labelled.raw) return true;
  if (labelled.kind !== 'arguments' || short.kind !== 'text') return false;
  const [value, ...more] = Object.values(labelled.args);
  return more.length === 0 && (typeof value === 'string' ? value : JSON.stringify(value)) === short.text;
}

/** A value, or a name in front of one (`Action_input:`, `order_id = 5`): to ignore it would be to run a part of the call. */
const LIKE_INPUT = /^(?:[[("'<\d]|[-*\w ]{1,40}[:=])/;

/** JSON on the lines below a bare name is its input. Prose there is none, unless it looks like an attempt at one. */
function unlabelledInput(rest: string, { isCutOff }: Section, repair: boolean): TextInput {
  const raw = rest.trim();
  if (raw.startsWith('{') || /^```[A-Za-z]{0,10}\s{0,10}\{/.test(raw)) return readTextInput(raw, repair);
  if (isCutOff) return { kind: 'problem', problem: '', raw, isCut: true };
  if (LIKE_INPUT.test(raw)) {
    return { kind: 'problem', problem: 'its input must stand behind "Action Input:"', raw, isCut: false };
  }
  return { kind: 'none', isClosed: false };
}

function actionOf(name: string, input: TextInput, section: Section): ReadAction {
  const { text, tools, isCutOff } = section;
  const isKnown = isTool(name, tools);
  if (input.kind === 'problem') {
    const isNamed = isKnown || isBuiltIn(name);
    if (isCutOff && input.isCut) return isNamed ? cutReply(input.raw, name) : cutReply(text.trim());
    // A made-up name is the first thing to put right; the checker does, and never runs it.
    if (!isNamed) return { kind: 'call', tool: name, args: {}, raw: input.raw };
    return unreadableInput(name, input.problem, input.raw);
  }
  if (isCutOff && input.kind !== 'arguments' && !input.isClosed && !isFollowed(section)) return cutReply(text.trim());
  if (isKnown || !isBuiltIn(name)) return callOf(name, input, section);
  if (input.kind === 'arguments') return builtInAction(name, input);
  return builtInFromText(name, input.kind === 'text' ? input.text : '');
}

/** A label behind the action shows that the action had ended. */
function isFollowed({ next }: Section): boolean {
  return next.length > (next[0]?.kind === 'input' ? 1 : 0);
}

function callOf(tool: string, input: Exclude<TextInput, { kind: 'problem' }>, { tools }: Section): ReadAction {
  if (input.kind === 'none') return { kind: 'call', tool, args: {}, raw: '' };
  if (input.kind === 'arguments') return { ...input, kind: 'call', tool };
  const schema = tools.find(({ name }) => name === tool)?.schema;
  if (schema && requiredFields(schema).length === 0 && NOTHING.test(input.text)) return { kind: 'call', tool, args: {}, raw: input.raw };
  if (!input.isClosed && input.raw.includes('\n')) return unreadableInput(tool, 'it has several lines, and where it ends is not certain', input.raw);
  return { kind: 'bare_call', tool, input: input.text, raw: input.raw };
}
