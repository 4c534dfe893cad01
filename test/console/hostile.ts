import { z } from 'zod';
import type { Scripts } from '../../models/index.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { speaker } from '../support/speaker.ts';

/** Texts that would run, load or lead away on a page that takes them for more than text. */
export const HOSTILE: readonly string[] = [
  '<script>pwned = 1</script>', '<img src=x onerror="pwned = 1">', '<svg onload="pwned = 1">', '<svg><script>pwned = 1</script></svg>',
  '<iframe src="javascript:parent.pwned = 1"></iframe>', '<iframe srcdoc="<script>parent.pwned = 1</script>">', '<object data="javascript:pwned = 1">',
  '<embed src="data:text/html,<script>pwned = 1</script>">', '<a href="javascript:pwned = 1">x</a>', '[x](javascript:pwned=1)', '![x](http://evil.test/pixel.png)',
  '![x](data:image/svg+xml,<svg onload=pwned=1>)', '<https://evil.test/>', 'javascript:pwned = 1', 'data:text/html,<script>pwned = 1</script>',
  '"><script>pwned = 1</script>', "'><img src=x onerror=pwned=1>", '</textarea><script>pwned = 1</script>', '</title><script>pwned = 1</script>',
  '<style>@import "http://evil.test/x.css"</style>', '<link rel=stylesheet href=http://evil.test/x.css>', '<meta http-equiv=refresh content="0;url=http://evil.test/">',
  '<base href="http://evil.test/">', '<form action="http://evil.test/"><input name=a></form>', '<body onpageshow="pwned = 1">', '<details open ontoggle="pwned = 1">',
  '<video><source onerror="pwned = 1">', '{{constructor.constructor("pwned = 1")()}}', '${pwned = 1}', '<math><mtext></table><img src=x onerror=pwned=1>',
  '\u202e<script>pwned = 1</script>', '&lt;script&gt;pwned = 1&lt;/script&gt;', '__proto__', 'constructor',
];

const all = HOSTILE.join('\n');
const say = speaker('function-calling');

const readNote = defineTool({
  name: 'read_note', description: 'The note on an order.', input: z.object({ text: z.string() }), effect: 'read', run: () => all,
});
const fail = defineTool({
  name: 'fail', description: 'Fails.', input: z.object({ text: z.string() }), effect: 'read', errorText: () => all, run: () => { throw new Error(all); },
});
const send = defineTool({
  name: 'send', description: 'Sends a text.', input: z.object({ text: z.string() }), effect: 'once', summary: ({ text }) => text, run: () => 'sent',
});

export const HOSTILE_AGENT = defineAgent({ name: 'hostile', version: '1', instructions: all, tools: [readNote, fail, send], constraints: [...HOSTILE.slice(0, 5)] });

export const HOSTILE_STORY: Scripts = {
  hostile: [
    say.call(all, 'read_note', { text: all }), say.call(all, HOSTILE[0] ?? '', { text: all }), say.call(all, 'fail', { text: all }), say.call(all, 'send', { text: all }),
    say.answer('Sent.'),
  ],
};
