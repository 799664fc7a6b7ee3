import { failure, type Failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { UpdatePlace } from '../../electron/platform/updates/app-image.ts';
import type { UpdateSource } from '../../electron/platform/updates/update-source.ts';
import { sampleFeed } from './sample-feed.ts';

type Stage = 'describe' | 'fetch';

/** An update server and an installed AppImage, in memory. A stage ends at once, or waits until it is aborted if `held` has it. */
export class FakeUpdates {
  feed = sampleFeed();
  readonly failures: Partial<Record<Stage | 'replace', Failure>> = {};
  readonly held = new Set<Stage>();
  readonly calls: string[] = [];
  previous: string | undefined;

  readonly source: UpdateSource = {
    host: 'updates.example',
    addressOf: ({ file }) => `https://updates.example/${file.name}`,
    describe: (stop) => this.#step('describe', stop, () => this.feed),
    fetch: (offer, part, stop) =>
      this.#step('fetch', stop, () => {
        part(0.5);
        return `/fetched/${offer.file.name}`;
      }),
    clear: () => {
      this.calls.push('clear');
      return Promise.resolve();
    },
  };

  readonly place: UpdatePlace = {
    previous: () => Promise.resolve(this.previous),
    replace: (file) => {
      this.calls.push(`replace ${file}`);
      return Promise.resolve(this.failures.replace ?? { ok: true, value: undefined });
    },
    putBack: (version) => {
      this.calls.push(`put back ${version}`);
      return Promise.resolve({ ok: true, value: undefined });
    },
  };

  #step<Value>(stage: Stage, stop: AbortSignal, make: () => Value): Promise<Outcome<Value>> {
    this.calls.push(stage);
    if (!this.held.has(stage))
      return Promise.resolve(this.failures[stage] ?? { ok: true, value: make() });
    return new Promise((resolve) => {
      stop.addEventListener('abort', () => {
        this.calls.push(`${stage} stopped`);
        resolve(failure('updateCutShort', { version: '' }));
      });
    });
  }
}
