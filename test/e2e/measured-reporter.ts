import type { Reporter, TestCase } from '@playwright/test/reporter';

/** Prints the `measured` annotations of tests. */
export default class MeasuredReporter implements Reporter {
  onTestEnd(test: TestCase): void {
    for (const { type, description } of test.annotations) {
      if (type === 'measured') process.stdout.write(`measured: ${description}\n`);
    }
  }
}
