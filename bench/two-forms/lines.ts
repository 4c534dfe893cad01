import { readFile } from 'node:fs/promises';
import type { Form } from '../../core/agent.ts';

/** Files that would go if a form went. What both forms read with (JSON, names, reasoning blocks) is in neither list. */
const FILES: Readonly<Record<Form, readonly string[]>> = {
  'function-calling': [
    'core/function-form.ts', 'core/text-beside-calls.ts', 'core/content-calls.ts', 'core/call-wrappers.ts', 'core/prompt-functions.ts', 'core/built-in-functions.ts',
    'models/function-names.ts', 'models/legal-conversation.ts',
  ],
  text: [
    'core/text-form.ts', 'core/text-action.ts', 'core/text-input.ts', 'core/text-labels.ts', 'core/prompt-text.ts', 'core/example-call.ts',
  ],
};

export interface FormLines {
  readonly files: readonly string[];
  /** Lines with code on them: no blank ones, no comments. */
  readonly lines: number;
}

/** Throws when a file of the lists is gone. */
export async function linesOf(form: Form): Promise<FormLines> {
  const counts = await Promise.all(FILES[form].map(async (file) => codeLines(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8'))));
  return { files: FILES[form], lines: counts.reduce((sum, count) => sum + count, 0) };
}

function codeLines(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*)/.test(line)).length;
}
