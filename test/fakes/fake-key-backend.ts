import type { GlobalKeyBackend } from '../../electron/talk/keys/global-key-backend.ts';
import { appError, type ErrorCode, failure } from '../../shared/errors/app-error.ts';
import type { GlobalKey, GlobalKeyMethod, TalkKeyEvent } from '../../shared/talk/global-key.ts';
import { deferred } from './promises.ts';

/** A global-key backend in memory, whose keys the test presses. */
export class FakeKeyBackend implements GlobalKeyBackend {
  readonly name: GlobalKeyMethod;
  /** The chords that each `listen` received, joined by spaces. */
  readonly asked: string[] = [];
  /** The actions of the keys that the newest `listen` received. */
  actions: readonly (GlobalKey['action'] | undefined)[] = [];
  /** Chords that another program has, so that `listen` refuses them. */
  readonly taken = new Set<string>();
  /** If set, `listen` fails with this code. */
  refuses: 'globalKeyNowhere' | undefined;
  isOffered = true;
  /** How often a pending `listen` was withdrawn. */
  withdrawn = 0;
  /** The accepted chords of the newest `listen` that succeeded, joined by spaces; undefined once it has ended. */
  chord: string | undefined;
  #hear: (id: string, event: TalkKeyEvent) => void = () => undefined;
  #ended: () => void = () => undefined;
  #ready: Promise<void> = Promise.resolve();

  constructor(name: GlobalKeyMethod) {
    this.name = name;
  }

  readonly isSupported = (): boolean => this.isOffered;

  readonly listen: GlobalKeyBackend['listen'] = async (keys, hear, ended, withdrawn) => {
    this.asked.push(keys.map(({ chord }) => chord).join(' '));
    this.actions = keys.map(({ action }) => action);
    void withdrawn?.then(() => (this.withdrawn += 1));
    await this.#ready;
    if (this.refuses !== undefined) return failure(this.refuses satisfies ErrorCode);
    const refused = keys.filter(({ chord }) => this.taken.has(chord));
    if (refused.length === keys.length) return failure('globalKeyTaken');
    const accepted = keys.filter((key) => !refused.includes(key));
    this.chord = accepted.map(({ chord }) => chord).join(' ');
    this.#hear = hear;
    this.#ended = ended;
    const stop = (): Promise<void> => {
      if (this.#hear === hear) this.chord = undefined;
      return Promise.resolve();
    };
    const errors = refused.map(({ id }) => [id, appError('globalKeyTaken')] as const);
    return { ok: true, value: { refused: new Map(errors), stop } };
  };

  key(event: TalkKeyEvent, id = 'talk'): void {
    this.#hear(id, event);
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
