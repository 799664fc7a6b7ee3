import { writeFileSync } from 'node:fs';
import {
  MinimalReporter,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
} from 'vitest/node';
import { Progress } from '../../scripts/lib/progress.mjs';
import {
  firstLine,
  keepSlowest,
  type TestResult,
  type Tally,
  type Timed,
} from '../../scripts/lib/tally.mjs';
import { isDefaultTier, nightlyTag } from './test-tiers.ts';

type Unhandled = Parameters<MinimalReporter['onTestRunEnd']>[1];

/**
 * The reporter of `npm test` and `npm run check`. It shows progress, prints only failures, and writes its counts to the file
 * in PARLEY_TALLY, because the scripts add up several runners.
 */
export class TallyReporter extends MinimalReporter {
  readonly #file: string;
  #progress: Progress | undefined;
  #passed = 0;
  readonly #failed: TestResult[] = [];
  readonly #skipped: TestResult[] = [];
  readonly #flaky: TestResult[] = [];
  readonly #timed: Timed[] = [];

  constructor(file: string) {
    super();
    this.#file = file;
  }

  override onTestRunStart(files: readonly TestSpecification[]): void {
    this.#progress = new Progress('files of tests', files.length);
  }

  override onTestCaseResult(test: TestCase): void {
    // Another tier runs it.
    if (isDefaultTier && test.fullName.includes(nightlyTag)) return;
    const result = test.result();
    const name = `${test.module.relativeModuleId}: ${test.fullName}`;
    const failure = { name, reason: firstLine(result.errors?.[0]?.message) };
    if (result.state === 'passed') this.#passed += 1;
    if (result.state === 'passed' && test.diagnostic()?.flaky === true) this.#flaky.push(failure);
    if (result.state === 'failed') this.#failed.push(failure);
    if (result.state === 'skipped')
      this.#skipped.push({ name: test.fullName, reason: result.note ?? 'no reason given' });
    this.#timed.push({ name, seconds: (test.diagnostic()?.duration ?? 0) / 1000 });
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#progress?.step();
    // A file that fails to load, or whose hooks fail, counts as one failed test.
    for (const { message } of module.errors())
      this.#failed.push({ name: module.relativeModuleId, reason: firstLine(message) });
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: Unhandled,
    reason: TestRunEndReason,
  ): void {
    this.#progress?.clear();
    const loose = unhandled.map(({ message }) => ({
      name: 'outside of any test',
      reason: firstLine(message),
    }));
    if (this.#failed.length + loose.length > 0) super.onTestRunEnd(modules, unhandled, reason);
    const tally: Tally = {
      passed: this.#passed,
      failed: [...this.#failed, ...loose],
      skipped: this.#skipped,
      flaky: this.#flaky,
      slowest: keepSlowest(this.#timed),
    };
    writeFileSync(this.#file, JSON.stringify(tally));
  }
}
