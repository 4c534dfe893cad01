import type { Form } from '../../core/agent.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Line } from '../../models/index.ts';

/** Writes a script's lines in either form, so that one test holds for both. */
export interface Speaker {
  call(thought: string, tool: string, args: JsonObject): Line;
  calls(thought: string, ...calls: readonly (readonly [tool: string, args: JsonObject])[]): Line;
  answer(text: string): Line;
}

export function speaker(form: Form): Speaker {
  return form === 'text' ? TEXT : FUNCTIONS;
}

const FUNCTIONS: Speaker = {
  call: (thought, name, args) => ({ text: thought, calls: [{ name, args }] }),
  calls: (thought, ...calls) => ({ text: thought, calls: calls.map(([name, args]) => ({ name, args })) }),
  answer: (text) => ({ text }),
};

const TEXT: Speaker = {
  call: (thought, tool, args) => ({ text: `Thought: ${thought}\nAction: ${tool}\nAction Input: ${JSON.stringify(args)}` }),
  calls: (thought, ...calls) => {
    const [first] = calls;
    if (!first) throw new Error('a call is needed');
    return TEXT.call(thought, first[0], first[1]);
  },
  answer: (text) => ({ text: `Thought: I know.\nFinal Answer: ${text}` }),
};
