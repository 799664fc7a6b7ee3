import { Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** Which files of the product run between two moments, as the engine counts their functions. */
export class ExecutedFiles {
  readonly #session = new Session();

  begin(): void {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** Those since the last time; an inspector of one's own thread answers at once. */
  take(): readonly string[] {
    let coverage: Coverage = { result: [] };
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error;
      coverage = taken;
    });
    return coverage.result
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .map(({ url }) => relative(root, url.startsWith('file:') ? fileURLToPath(url) : url))
      .filter((file) => /^(?:electron|shared)\/.*\.ts$/.test(file))
      .toSorted();
  }

  end(): void {
    this.#session.disconnect();
  }
}
