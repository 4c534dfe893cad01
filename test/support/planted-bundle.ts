import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { temporaryDataDir } from './test-server.ts';

/** A change of the workflow code or the core: this text in this file becomes that one. */
export interface Planted {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The workflow code with one change in it. The text must be there exactly once, so that no test becomes one of nothing. */
export async function bundleWith({ file, from, to }: Planted): Promise<{ readonly codePath: string }> {
  const copy = temporaryDataDir();
  for (const part of ['core', 'workflows']) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'cache'));
  const text = readFileSync(join(copy, file), 'utf8');
  expect(text.split(from), `${file} no longer holds what was to be changed`).toHaveLength(2);
  writeFileSync(join(copy, file), text.replace(from, () => to));
  return workflowBundle({ env: { XDG_CACHE_HOME: join(copy, 'cache') }, report: () => undefined, root: copy });
}
