import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Counts for `npm test`, which adds up several runners; written where PARLEY_TALLY says. */
export class TallyReporter implements Reporter {
  #passed = 0;
  #failed = 0;
  readonly #skipped: { readonly name: string; readonly reason: string }[] = [];

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state === 'passed') this.#passed += 1;
    if (result.state === 'failed') this.#failed += 1;
    if (result.state === 'skipped') {
      this.#skipped.push({ name: test.fullName, reason: result.note ?? 'no reason given' });
    }
  }

  onTestModuleEnd(module: TestModule): void {
    // A file that cannot be loaded, or whose hooks fail, has no test to fail; it counts as one.
    this.#failed += module.errors().length;
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const file = process.env['PARLEY_TALLY'];
    if (file === undefined) return;
    const tally = {
      passed: this.#passed,
      failed: this.#failed + unhandled.length,
      skipped: this.#skipped,
    };
    writeFileSync(file, JSON.stringify(tally));
  }
}
