/**
 * Ways in which servers leave a function-calling model's calls as text in the content, when they have no parser for it or
 * the wrong one. One row a known wrapper: adding a model is adding a row. Everything that only looks like one of these is
 * a format problem, never an answer.
 */
export interface CallWrapper {
  /** Whose format it is and where it is written down. */
  readonly source: string;
  /** What stands in front of the JSON; its group, if any, is the function's name. Tried at the start of a line. */
  readonly open: RegExp;
  /** The JSON: one call with name and arguments (or a list of them), or the arguments of the function named in `open`. */
  readonly body: 'calls' | 'arguments';
  /** What stands behind the JSON; it may be missing only at the very end, where a server took it for a stop token. */
  readonly close: RegExp;
  /** No tag of its own, so it could be an answer in JSON: counts only as the end of the content and for known names. */
  readonly isUntagged?: true;
}

/** A function's name; no blank in it, so that prose is not taken for one. */
const NAME = '[A-Za-z0-9_.-]{1,128}';

function sticky(pattern: string): RegExp {
  return new RegExp(pattern, 'y');
}

export const CALL_WRAPPERS: readonly CallWrapper[] = [
  {
    source: 'Hermes and Qwen: github.com/NousResearch/Hermes-Function-Calling, qwen.readthedocs.io function calling',
    open: sticky('<tool_call>\\s{0,20}(?=\\{)'), body: 'calls', close: sticky('\\s{0,20}</tool_call>'),
  },
  {
    source: 'Mistral v3 to v7: github.com/mistralai/mistral-common, instruct tokenizer',
    open: sticky('\\[TOOL_CALLS\\][ \\t]{0,20}(?=[\\[{])'), body: 'calls', close: sticky('(?:[ \\t]{0,20}</s>)?'),
  },
  {
    source: 'Mistral v11 and later: github.com/mistralai/mistral-common, instruct tokenizer',
    open: sticky(`\\[TOOL_CALLS\\][ \\t]{0,20}(${NAME})(?:\\[CALL_ID\\][A-Za-z0-9]{1,20})?(?:\\[ARGS\\])?\\s{0,20}(?=\\{)`),
    body: 'arguments', close: sticky('(?:[ \\t]{0,20}</s>)?'),
  },
  {
    source: 'Llama 3.1 user-defined tools: github.com/meta-llama/llama-models, prompt_format.md',
    open: sticky(`<function=(${NAME})>\\s{0,20}(?=\\{)`), body: 'arguments', close: sticky('\\s{0,20}</function>'),
  },
  {
    source: 'Llama 3.1 JSON tools behind the tag of the code interpreter: github.com/meta-llama/llama-models, prompt_format.md',
    open: sticky('<\\|python_tag\\|>\\s{0,20}(?=\\{)'), body: 'calls', close: sticky('(?:\\s{0,20}(?:;|<\\|eo[mt]_id\\|>))?'),
  },
  {
    source: 'Granite 3 and Phi-4-mini: huggingface.co/ibm-granite, huggingface.co/microsoft/Phi-4-mini-instruct, chat templates',
    open: sticky('<\\|tool_call\\|>\\s{0,20}(?=[\\[{])'), body: 'calls', close: sticky('(?:\\s{0,20}<\\|/tool_call\\|>)?'),
  },
  {
    source: 'DeepSeek V3 and R1: huggingface.co/deepseek-ai/DeepSeek-V3, chat template',
    open: sticky(
      `(?:<\uff5ctool\u2581calls\u2581begin\uff5c>\\s{0,20})?<\uff5ctool\u2581call\u2581begin\uff5c>(?:function<\uff5ctool\u2581sep\uff5c>)?(${NAME})(?:<\uff5ctool\u2581sep\uff5c>)?\\s{0,20}(?:\`\`\`json\\s{0,20})?(?=\\{)`,
    ),
    body: 'arguments',
    close: sticky('(?:\\s{0,20}```)?\\s{0,20}<\uff5ctool\u2581call\u2581end\uff5c>(?:\\s{0,20}<\uff5ctool\u2581calls\u2581end\uff5c>)?'),
  },
  {
    source: 'Kimi K2: huggingface.co/moonshotai/Kimi-K2-Instruct, docs/tool_call_guidance.md',
    open: sticky(
      `(?:<\\|tool_calls_section_begin\\|>\\s{0,20})?<\\|tool_call_begin\\|>\\s{0,20}(${NAME})(?::\\d{1,6})?\\s{0,20}<\\|tool_call_argument_begin\\|>\\s{0,20}(?=\\{)`,
    ),
    body: 'arguments', close: sticky('\\s{0,20}<\\|tool_call_end\\|>(?:\\s{0,20}<\\|tool_calls_section_end\\|>)?'),
  },
  {
    source: 'Glaive and models trained on its data: huggingface.co/datasets/glaiveai/glaive-function-calling-v2',
    open: sticky('<functioncall>\\s{0,20}(?=\\{)'), body: 'calls', close: sticky('(?:\\s{0,20}(?:</functioncall>|<\\|endoftext\\|>))?'),
  },
  {
    source: 'Firefunction: huggingface.co/fireworks-ai/firefunction-v1',
    open: sticky('functools(?=\\[)'), body: 'calls', close: sticky(''),
  },
  {
    source: 'gpt-oss: cookbook.openai.com, OpenAI harmony response format',
    open: sticky(
      `(?:<\\|start\\|>assistant)?<\\|channel\\|>commentary to=(${NAME})[ \\t]{0,20}(?:<\\|constrain\\|>json)?<\\|message\\|>\\s{0,20}(?=\\{)`,
    ),
    body: 'arguments', close: sticky('(?:<\\|call\\|>)?'),
  },
  {
    source: 'Command R7B and A: docs.cohere.com, prompting guide for tool use',
    open: sticky('<\\|START_ACTION\\|>\\s{0,20}(?=[\\[{])'), body: 'calls', close: sticky('\\s{0,20}<\\|END_ACTION\\|>'),
  },
  {
    source: 'No vendor: what models write when their server gave them no syntax for calls',
    open: sticky('```(?:json|tool_call|tool_code)?[ \\t]{0,20}\\n\\s{0,20}(?=[\\[{])'), body: 'calls', close: sticky('\\s{0,20}```'),
    isUntagged: true,
  },
  {
    source: 'Llama 3.1 and 3.2 JSON tools, xLAM: github.com/meta-llama/llama-models, prompt_format.md; huggingface.co/Salesforce',
    open: sticky('(?=[\\[{])'), body: 'calls', close: sticky(''), isUntagged: true,
  },
];

/** A line that begins like a wrapper. What no row can read whole must not pass for an answer. */
export const LOOKS_LIKE_WRAPPER =
  /^[ \t]{0,40}(?:<\/?(?:tool|function|invoke|antml|minimax|seed|longcat)[\w:.-]{0,40}[=> ]|<[|\uff5c]|\[TOOL_CALLS\]|functools\[)/im;

/** Tokens that end a turn and that a server left in the text. */
export const END_TOKENS: readonly string[] = ['<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<|end|>', '<|endoftext|>', '<|end_of_text|>', '</s>'];
