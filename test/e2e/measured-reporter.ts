import type { Reporter, TestCase } from '@playwright/test/reporter';

/** Prints what a test measured, since a figure that nobody sees might as well not exist. */
export default class MeasuredReporter implements Reporter {
  onTestEnd(test: TestCase): void {
    for (const { type, description } of test.annotations) {
      if (type === 'measured') process.stdout.write(`measured: ${description}\n`);
    }
  }
}
