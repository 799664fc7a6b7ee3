import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { GlobalKeyState } from '../../shared/talk/global-key-view.ts';
import type { Clock } from '../ports/clock.ts';
import type {
  GlobalKeyBackend,
  GlobalKeyBackendName,
  GlobalKeyEvent,
} from '../ports/global-keys.ts';
import type { Outcome } from '../ports/outcome.ts';

export interface GlobalKeyRunDeps {
  readonly backends: readonly GlobalKeyBackend[];
  readonly clock: Clock;
  readonly hear: (event: GlobalKeyEvent) => void;
  readonly changed: (state: GlobalKeyState) => void;
}

/** Those that know both ends of a key come first. */
const order: readonly GlobalKeyBackendName[] = ['uiohook', 'portal', 'globalShortcut'];

/** After so many ends in a row a backend is given up. */
const maxEnds = 10;
const firstPauseMs = 500;
const maxPauseMs = 30_000;
/** What has listened for so long works: its end is not one in a row. */
const steadyMs = 60_000;

/** One that listens, or is being asked to. */
interface Listening {
  readonly since: number;
  /** While it is being asked: it is not wanted any more. */
  readonly withdraw: () => void;
  readonly stop?: () => Promise<void>;
}

/** One chord, heard by the first backend that takes it, until the run is ended. */
export class GlobalKeyRun {
  readonly #deps: GlobalKeyRunDeps;
  readonly #chord: string;
  readonly #givenUp = new Set<GlobalKeyBackend>();
  #listening: Listening | undefined;
  #ends = 0;
  #over = false;
  #stopWaiting: () => void = nothing;

  constructor(chord: string, deps: GlobalKeyRunDeps) {
    this.#chord = chord;
    this.#deps = deps;
  }

  /** Tries one backend after the other. */
  async begin(before = noneOffered): Promise<void> {
    let error = this.#deps.backends.length === 0 ? appError('globalKeyNoDesktop') : before;
    this.#deps.changed({ kind: 'starting' });
    for (const backend of this.#candidates()) {
      const heard = await this.#listen(backend);
      if (this.#over || heard.ok) return;
      ({ error } = heard);
    }
    this.#deps.changed({ kind: 'unavailable', error });
  }

  async end(): Promise<void> {
    this.#over = true;
    this.#stopWaiting();
    const listening = this.#listening;
    this.#listening = undefined;
    if (listening?.stop === undefined) listening?.withdraw();
    else await listening.stop();
  }

  #candidates(): readonly GlobalKeyBackend[] {
    return order.flatMap((name) =>
      this.#deps.backends.filter(
        (backend) => backend.name === name && !this.#givenUp.has(backend) && backend.offered(),
      ),
    );
  }

  async #listen(backend: GlobalKeyBackend): Promise<Outcome<undefined>> {
    let withdraw = nothing;
    const withdrawn = new Promise<void>((resolve) => (withdraw = resolve));
    const asked: Listening = { since: this.#deps.clock.now(), withdraw };
    this.#listening = asked;
    let ended = false;
    const outcome = await backend.listen(
      this.#chord,
      (event) => {
        if (!this.#over && !ended) this.#deps.hear(event);
      },
      () => {
        if (ended || this.#over) return;
        ended = true;
        // While it is being asked it is not known yet whether it was taken.
        if (this.#listening?.stop !== undefined) this.#ended(backend);
      },
      withdrawn,
    );
    if (!outcome.ok) return outcome;
    if (this.#over) await outcome.value();
    else if (ended) this.#ended(backend);
    else {
      this.#listening = { ...asked, stop: outcome.value };
      this.#deps.changed({ kind: 'active', method: backend.name });
    }
    return done;
  }

  /** Nothing is heard of it any more, also not that the key came up. */
  #ended(backend: GlobalKeyBackend): void {
    const { clock, hear, changed } = this.#deps;
    const lived = clock.now() - (this.#listening?.since ?? 0);
    this.#listening = undefined;
    hear('lost');
    this.#ends = lived >= steadyMs ? 1 : this.#ends + 1;
    if (this.#ends >= maxEnds) {
      this.#givenUp.add(backend);
      this.#ends = 0;
      void this.begin(appError('globalKeyEnded', { times: maxEnds }));
      return;
    }
    const inMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (this.#ends - 1));
    changed({ kind: 'retrying', inMs });
    this.#stopWaiting = clock.after(inMs, () => {
      void this.begin();
    });
  }
}

const nothing = (): void => undefined;
const done = { ok: true, value: undefined } as const;
const noneOffered: AppError = appError('globalKeyNowhere');
