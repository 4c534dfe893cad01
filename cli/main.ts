#!/usr/bin/env node
import * as nodeModule from 'node:module';

// From Node 22 on what was compiled is kept between starts: a quarter less processor time until a worker is up.
const keepCompiled: unknown = Reflect.get(nodeModule, 'enableCompileCache');
if (typeof keepCompiled === 'function') Reflect.apply(keepCompiled, nodeModule, []);

// Loaded only now: what is imported above would be compiled before the cache is on.
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine(process.argv);
