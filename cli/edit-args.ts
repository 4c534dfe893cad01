import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../client/errors.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../core/json.ts';

/**
 * Arguments as a person changes them in their editor; `undefined` when nothing was changed. What cannot be read stays
 * in its file, so that no work is lost. @throws UsageError
 */
export async function editedArgs(args: JsonObject, env: NodeJS.ProcessEnv): Promise<JsonObject | undefined> {
  // `??` would take an EDITOR that is set to nothing.
  const editor = env['VISUAL'] || env['EDITOR'];
  if (!editor) throw new UsageError('No editor is set: set EDITOR, or give the arguments with --args.');
  const dir = await mkdtemp(join(tmpdir(), 'caseworker-edit-'));
  const file = join(dir, 'arguments.json');
  await writeFile(file, `${JSON.stringify(args, undefined, 2)}\n`);
  await runEditor(editor, file);
  const changed = parsedObject(await readFile(file, 'utf8'), file);
  await rm(dir, { recursive: true });
  return canonicalJson(changed) === canonicalJson(args) ? undefined : changed;
}

/** An editor's setting may have options of its own (`code --wait`), so the shell reads it, as git does. */
async function runEditor(editor: string, file: string): Promise<void> {
  const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new UsageError(`The editor (${editor}) ended with ${code ?? 'a signal'}; nothing was sent. The arguments are in ${file}.`);
}

function parsedObject(text: string, file: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new UsageError(`${file} is not JSON (${error instanceof Error ? error.message : String(error)}); nothing was sent.`, { cause: error });
  }
  throw new UsageError(`${file} has no JSON object; nothing was sent.`);
}
