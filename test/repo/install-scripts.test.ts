import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const lock = z.object({ packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })) });
const manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) });

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));

/** An npm that asks about install scripts ends every install with a warning for each that nothing is said about. */
test('for every dependency with an install script it is said that the script is not run, so an install warns of nothing', () => {
  const { packages } = lock.parse(read('package-lock.json'));
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript).map((path) => path.split('node_modules/').at(-1) ?? path);
  const { allowScripts } = manifest.parse(read('package.json'));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScript)].sort());
  expect(Object.values(allowScripts)).not.toContain(true);
});
