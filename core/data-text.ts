/** Every line that comes from outside (a tool, a person, the task) is shown to the model behind this mark. */
export const DATA_MARK = '| ';

/** Everything that some reader takes for the end of a line: a forged label must not hide behind a rare one. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** Tags with a meaning to models, chat templates or servers; a blank after the bracket takes the meaning and keeps the sight. */
const LIVE_TAG =
  /<(?=\/?(?:\||\uff5c|s>|<sys>|think|reasoning|thought|tool|function|invoke|parameter|observation|action|start_of|end_of|im_))|\[(?=\/?(?:tool_|available_tools|inst\]|system_))/gi;

/** A surrogate without its other half: strict providers refuse the whole request for one. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Text from outside as lines that cannot be taken for the model's or the system's own: each behind the mark, tags made
 * harmless. A line `Final Answer: paid` in a record is shown as `| Final Answer: paid`.
 */
export function dataLines(text: string): string {
  return DATA_MARK + harmlessTags(text).replace(LINE_BREAK, `\n${DATA_MARK}`);
}

/** Tags such as `<tool_call>` and `<|im_end|>` made visible but dead: `< tool_call>`. */
export function harmlessTags(text: string): string {
  return text.replace(LIVE_TAG, '$& ');
}

/** A text on one line, white space collapsed, cut to `max` UTF-16 units with `…`. */
export function oneLine(text: string, max: number): string {
  return cutText(harmlessTags(text).replace(/[\s\u0085]+/g, ' ').trim(), max);
}

/** A text of at most `max` UTF-16 units, no pair of surrogates parted; `…` says that it was cut. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** The text with every lone surrogate replaced by U+FFFD; as many UTF-8 bytes as before. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}
