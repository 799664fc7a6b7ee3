import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { Progress } from '../../scripts/lib/progress.mjs';

/** Lines of a failed test's own output that are shown. */
const shownLines = 40;

/** For `npm test`: prints progress, and for each failure its message, the output of its programs, and where its picture and trace are. */
export default class QuietReporter implements Reporter {
  #progress: Progress | undefined;

  onBegin(_config: FullConfig, run: Suite): void {
    this.#progress = new Progress('tests of the window', run.allTests().length);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const isLast = result.status !== 'failed' && result.status !== 'timedOut';
    if (!isLast) this.#show(test, result);
    if (isLast || result.retry === test.retries) this.#progress?.step();
  }

  onError(error: TestError): void {
    this.#write(`FAILED  outside of any test\n${error.stack ?? error.message ?? ''}`);
  }

  onEnd(_result: FullResult): void {
    this.#progress?.clear();
  }

  printsToStdio(): boolean {
    return true;
  }

  #show(test: TestCase, { errors, attachments, stdout, stderr, retry }: TestResult): void {
    const { file, line } = test.location;
    const again = retry > 0 ? ' (second try)' : '';
    const written = [...stdout, ...stderr].join('').trimEnd();
    const output = written === '' ? [] : written.split('\n').slice(-shownLines);
    this.#write(
      [
        `FAILED  ${test
          .titlePath()
          .filter((part) => part !== '')
          .join(' › ')}${again}`,
        `  ${file}:${line}`,
        ...errors.map(
          ({ stack, message, snippet }) => `${stack ?? message ?? ''}\n${snippet ?? ''}`,
        ),
        ...attachments.flatMap(({ name, path }) =>
          path === undefined ? [] : [`  ${name}: ${path}`],
        ),
        ...output.map((text) => `  | ${text}`),
      ].join('\n'),
    );
  }

  #write(text: string): void {
    this.#progress?.clear();
    process.stderr.write(`${text}\n`);
  }
}
