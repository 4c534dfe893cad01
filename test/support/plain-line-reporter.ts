import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line, `N passed, N failed`, for people and programs that read no colours. */
export default class PlainLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const line = plainLine(modules, unhandledErrors.length);
    // At the very end: other reporters, and vitest itself, may still have something to say.
    process.once('exit', () => writeSync(1, `${line}\n`));
  }
}

/** A file that could not be loaded, a failing hook and an error outside of tests each count as one failure. */
export function plainLine(modules: readonly Pick<TestModule, 'children' | 'errors'>[], errors: number): string {
  const counts = { passed: 0, failed: errors, skipped: 0 };
  for (const module of modules) {
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state] += 1;
      else counts.failed += 1;
    }
  }
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`;
}
