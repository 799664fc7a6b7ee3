import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';

const product = /\/((?:electron|renderer|shared)\/[\w./-]+\.tsx?)$/;

/** Which of the product's files run a function between two moments, as the engine counts them. */
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

  /** Since it was last asked. */
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
