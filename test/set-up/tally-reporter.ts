import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { firstLine } from '../../scripts/lib/tally.mjs';

interface Named {
  readonly name: string;
  readonly reason: string;
}

/** Counts for `npm test`, which adds up several runners; written where PARLEY_TALLY says. */
export class TallyReporter implements Reporter {
  #passed = 0;
  readonly #failed: Named[] = [];
  readonly #skipped: Named[] = [];
  readonly #unsteady: Named[] = [];

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    const name = `${test.module.relativeModuleId}: ${test.fullName}`;
    const failure = { name, reason: firstLine(result.errors?.[0]?.message) };
    if (result.state === 'passed') this.#passed += 1;
    if (result.state === 'passed' && test.diagnostic()?.flaky) this.#unsteady.push(failure);
    if (result.state === 'failed') this.#failed.push(failure);
    if (result.state === 'skipped') {
      this.#skipped.push({ name: test.fullName, reason: result.note ?? 'no reason given' });
    }
  }

  onTestModuleEnd(module: TestModule): void {
    // A file that cannot be loaded, or whose hooks fail, has no test to fail; it counts as one.
    for (const { message } of module.errors()) {
      this.#failed.push({ name: module.relativeModuleId, reason: firstLine(message) });
    }
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const file = process.env['PARLEY_TALLY'];
    if (file === undefined) return;
    const loose = unhandled.map(({ message }) => ({
      name: 'outside of any test',
      reason: firstLine(message),
    }));
    const tally = {
      passed: this.#passed,
      failed: [...this.#failed, ...loose],
      skipped: this.#skipped,
      unsteady: this.#unsteady,
    };
    writeFileSync(file, JSON.stringify(tally));
  }
}
