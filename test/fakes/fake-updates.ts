import { failure, type Failure, type Outcome } from '../../shared/errors/app-error.ts';
import type {
  RunningUpdateStep,
  UpdatePlace,
  UpdateSource,
  VersionsBeside,
} from '../../shared/updates/update-feed.ts';
import { sampleFeed } from './sample-feed.ts';

type Stage = 'describe' | 'fetch' | 'prepare';

/** A server and a place in memory. What is under way ends when the test lets it, or is stopped. */
export class FakeUpdates {
  feed = sampleFeed();
  /** What goes wrong, and where. */
  readonly failures: Partial<Record<Stage | 'swap', Failure>> = {};
  /** These wait until they are let on. */
  readonly held = new Set<Stage>();
  readonly told: string[] = [];
  beside: VersionsBeside = { previous: undefined, next: undefined };
  #on: () => void = () => undefined;

  readonly letOn = (): void => {
    this.held.clear();
    this.#on();
  };

  readonly source: UpdateSource = {
    host: 'updates.example',
    describe: () => this.#step('describe', () => this.feed),
    fetch: (offer, part) =>
      this.#step('fetch', () => {
        part(0.5);
        return `/fetched/${offer.file.name}`;
      }),
    clear: () => {
      this.told.push('clear');
      return Promise.resolve();
    },
  };

  readonly place: UpdatePlace = {
    find: () => Promise.resolve(this.beside),
    look: () => Promise.resolve(this.beside),
    prepare: (_file, version) =>
      this.#step('prepare', () => {
        this.beside = { ...this.beside, next: version };
        return undefined;
      }),
    drop: () => {
      this.told.push('drop');
      this.beside = { ...this.beside, next: undefined };
      return Promise.resolve();
    },
    swap: (to) => {
      this.told.push(`swap ${to}`);
      return Promise.resolve(this.failures.swap ?? { ok: true, value: undefined });
    },
  };

  #step<Value>(stage: Stage, make: () => Value): RunningUpdateStep<Value> {
    this.told.push(stage);
    let stop = (): void => undefined;
    const held = this.held.has(stage);
    const done = new Promise<Outcome<Value>>((resolve) => {
      const end = (): void => {
        resolve(this.failures[stage] ?? { ok: true, value: make() });
      };
      stop = () => {
        this.told.push(`${stage} stopped`);
        resolve(failure('updateCutShort', { version: '' }));
      };
      if (held) this.#on = end;
      else end();
    });
    return {
      done,
      stop: () => {
        stop();
      },
    };
  }
}
