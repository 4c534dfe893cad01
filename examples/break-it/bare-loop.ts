import OpenAI from 'openai';

/** A first ReAct loop, as it is often written: no guard in it. Kept to show how it breaks; not for use. */
export interface BareLoop {
  readonly baseURL: string;
  readonly model: string;
  readonly question: string;
  readonly tools: Readonly<Record<string, (input: string) => string>>;
  readonly maxSteps: number;
  readonly stop?: string[];
  readonly print: (line: string) => void;
}

const PROMPT = 'Write Thought, then Action: tool[input], and wait for the Observation. When you know: Final Answer.';

export async function bareLoop({ baseURL, model, question, tools, maxSteps, stop, print }: BareLoop): Promise<string> {
  const client = new OpenAI({ baseURL, apiKey: 'none' });
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: PROMPT },
    { role: 'user', content: question },
  ];
  for (let step = 1; step <= maxSteps; step += 1) {
    const completion = await client.chat.completions.create({ model, messages, ...(stop ? { stop } : {}) });
    const reply = completion.choices[0]?.message.content ?? '';
    print(reply);
    messages.push({ role: 'assistant', content: reply });
    const answer = /Final Answer: (.*)/s.exec(reply)?.[1];
    if (answer) return answer;
    const [, name = '', input = ''] = /Action: (\w+)\[(.*?)\]/.exec(reply) ?? [];
    const tool = tools[name];
    if (!tool) throw new TypeError(`tools.${name} is not a function`);
    const observation = tool(input);
    print(`Observation: ${observation}`);
    messages.push({ role: 'user', content: `Observation: ${observation}` });
  }
  return 'Agent stopped due to iteration limit.';
}
