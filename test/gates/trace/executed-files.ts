import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';

const product = /\/((?:electron|renderer|shared)\/[\w./-]+\.tsx?)$/;

/** Lists the product's files that ran a function, from V8's coverage. */
export class ExecutedFiles {
  readonly #session = new Session();

  begin(): void {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  end(): void {
    this.#session.disconnect();
  }

  /** Files that ran since the last call. */
  take(): readonly string[] {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      scripts = result;
    });
    return scripts
      .filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0))
      .flatMap(({ url }) => product.exec(url)?.[1] ?? [])
      .toSorted();
  }
}
