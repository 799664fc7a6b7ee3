import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import type {
  GlobalKey,
  GlobalKeyMethod,
  GlobalKeyState,
  TalkKeyEvent,
} from '../../../shared/talk/global-key.ts';
import type { GlobalKeyBackend } from './global-key-backend.ts';

interface GlobalKeyListenerDeps {
  readonly backends: readonly GlobalKeyBackend[];
  /** Preferred first; other backends are not asked. */
  readonly order: readonly GlobalKeyMethod[];
  readonly clock: Clock;
  readonly onEvent: (id: string, event: TalkKeyEvent) => void;
  readonly onStateChange: (keys: readonly GlobalKey[], state: GlobalKeyState) => void;
}

/** A backend is given up after this many ends in a row. */
const maxEndsInRow = 10;
const firstPauseMs = 500;
const maxPauseMs = 30_000;
/** A backend that ran this long starts the count again. */
const stableMs = 60_000;

interface Listening {
  readonly since: number;
  /** Cancels the request while the backend still waits for the user's consent. */
  readonly withdraw: () => void;
  stop?: () => Promise<void>;
}

/** Receives keys, each through the first backend that accepts it. */
export class GlobalKeyListener {
  readonly keys: readonly GlobalKey[];
  readonly #deps: GlobalKeyListenerDeps;
  readonly #givenUp = new Set<GlobalKeyBackend>();
  readonly #listenings = new Set<Listening>();
  readonly #ends = new Map<GlobalKeyBackend, number>();
  readonly #pauses = new Set<Timer>();
  #over = false;

  constructor(keys: readonly GlobalKey[], deps: GlobalKeyListenerDeps) {
    this.keys = keys;
    this.#deps = deps;
  }

  begin(): Promise<void> {
    return this.#take(this.keys, appError('globalKeyNowhere'));
  }

  async end(): Promise<void> {
    this.#over = true;
    for (const pause of this.#pauses) pause.stop();
    const listenings = [...this.#listenings];
    this.#listenings.clear();
    for (const { stop, withdraw } of listenings) if (stop === undefined) withdraw();
    await Promise.all(listenings.flatMap(({ stop }) => stop?.() ?? []));
  }

  async #take(keys: readonly GlobalKey[], before: AppError): Promise<void> {
    const { backends, onStateChange } = this.#deps;
    const first = backends.length === 0 ? appError('globalKeyNoDesktop') : before;
    onStateChange(keys, { kind: 'starting' });
    let refused: ReadonlyMap<string, AppError> = new Map(keys.map(({ id }) => [id, first]));
    for (const backend of this.#candidates()) {
      refused = await this.#listen(
        backend,
        keys.filter(({ id }) => refused.has(id)),
      );
      if (this.#over || refused.size === 0) return;
    }
    for (const [id, error] of refused)
      onStateChange(
        withIds(keys, (each) => each === id),
        { kind: 'unavailable', error },
      );
  }

  #candidates(): readonly GlobalKeyBackend[] {
    return this.#deps.order.flatMap((name) =>
      this.#deps.backends.filter(
        (backend) => backend.name === name && !this.#givenUp.has(backend) && backend.isSupported(),
      ),
    );
  }

  /** Returns the keys that the backend refused. */
  async #listen(
    backend: GlobalKeyBackend,
    keys: readonly GlobalKey[],
  ): Promise<ReadonlyMap<string, AppError>> {
    let withdraw = noop;
    const withdrawn = new Promise<void>((resolve) => (withdraw = resolve));
    const listening: Listening = { since: this.#deps.clock.now(), withdraw };
    this.#listenings.add(listening);
    let accepted: readonly GlobalKey[] = [];
    let ended = false;
    const outcome = await backend.listen(
      keys,
      (id, event) => {
        if (!this.#over && !ended) this.#deps.onEvent(id, event);
      },
      () => {
        if (ended || this.#over) return;
        ended = true;
        // If the backend ends before `listen` resolves, the outcome of `listen` decides what follows.
        if (listening.stop !== undefined) this.#onBackendEnd(backend, listening, accepted);
      },
      withdrawn,
    );
    if (!outcome.ok) {
      this.#listenings.delete(listening);
      return new Map(keys.map(({ id }) => [id, outcome.error]));
    }
    const { refused, stop } = outcome.value;
    accepted = withIds(keys, (id) => !refused.has(id));
    listening.stop = stop;
    if (this.#over) await stop();
    else if (ended) this.#onBackendEnd(backend, listening, accepted);
    else this.#deps.onStateChange(accepted, { kind: 'active', method: backend.name });
    return refused;
  }

  /** The backend stopped, so a release of a key would be missed: the keys count as lost. */
  #onBackendEnd(backend: GlobalKeyBackend, listening: Listening, keys: readonly GlobalKey[]): void {
    const { clock, onEvent, onStateChange } = this.#deps;
    this.#listenings.delete(listening);
    for (const { id } of keys) onEvent(id, 'lost');
    const lived = clock.now() - listening.since;
    const ends = lived >= stableMs ? 1 : (this.#ends.get(backend) ?? 0) + 1;
    if (ends >= maxEndsInRow) {
      this.#givenUp.add(backend);
      this.#ends.delete(backend);
      void this.#take(keys, appError('globalKeyEnded', { times: maxEndsInRow }));
      return;
    }
    this.#ends.set(backend, ends);
    const inMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (ends - 1));
    onStateChange(keys, { kind: 'retrying', inMs });
    const pause = new Timer(clock);
    this.#pauses.add(pause);
    pause.set(inMs, () => {
      this.#pauses.delete(pause);
      void this.#take(keys, appError('globalKeyNowhere'));
    });
  }
}

function withIds(
  keys: readonly GlobalKey[],
  accept: (id: string) => boolean,
): readonly GlobalKey[] {
  return keys.filter(({ id }) => accept(id));
}

const noop = (): void => undefined;
