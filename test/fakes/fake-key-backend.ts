import type { GlobalKeyBackend } from '../../electron/talk/keys/global-key-backend.ts';
import { type ErrorCode, failure } from '../../shared/errors/app-error.ts';
import type { GlobalKeyMethod, TalkKeyEvent } from '../../shared/talk/global-key.ts';
import { deferred } from './deferred.ts';

export class FakeKeyBackend implements GlobalKeyBackend {
  readonly name: GlobalKeyMethod;
  /** Every chord that `listen` received. */
  readonly asked: string[] = [];
  /** The code with which `listen` fails. */
  refuses: 'globalKeyNowhere' | undefined;
  isOffered = true;
  /** How often a pending `listen` was withdrawn. */
  withdrawn = 0;
  chord: string | undefined;
  #hear: (event: TalkKeyEvent) => void = () => undefined;
  #ended: () => void = () => undefined;
  #ready: Promise<void> = Promise.resolve();

  constructor(name: GlobalKeyMethod) {
    this.name = name;
  }

  readonly isSupported = (): boolean => this.isOffered;

  readonly listen: GlobalKeyBackend['listen'] = async (chord, hear, ended, withdrawn) => {
    this.asked.push(chord);
    void withdrawn?.then(() => (this.withdrawn += 1));
    await this.#ready;
    if (this.refuses !== undefined) return failure(this.refuses satisfies ErrorCode);
    this.chord = chord;
    this.#hear = hear;
    this.#ended = ended;
    const stop = (): Promise<void> => {
      if (this.#hear === hear) this.chord = undefined;
      return Promise.resolve();
    };
    return { ok: true, value: stop };
  };

  key(event: TalkKeyEvent): void {
    this.#hear(event);
  }

  /** Ends as if its process were killed. */
  die(): void {
    this.chord = undefined;
    this.#ended();
  }

  /** The next calls of `listen` wait until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = deferred();
    this.#ready = promise;
    return resolve;
  }
}
