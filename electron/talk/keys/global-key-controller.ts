import { appError, type AppError, done, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import type { Page } from '../../../shared/ipc/page.ts';
import type { GlobalKeyHandlers } from '../../../shared/ipc/talk-ipc.ts';
import { Listeners } from '../../../shared/listeners.ts';
import { type Clock, Timer, type WallClock } from '../../../shared/ports/clock.ts';
import type { TalkingSettings } from '../../../shared/settings/talking-settings.ts';
import {
  type GlobalKeyMethod,
  globalKeyOff,
  type GlobalKeyState,
  type GlobalKeyTestResult,
  type GlobalKeyView,
  type TalkKeyEvent,
} from '../../../shared/talk/global-key.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import type { GlobalKeyBackend } from './global-key-backend.ts';
import type { TalkKeyHolders } from './talk-key-holders.ts';

interface Deps {
  /** Empty if the host has no backends. */
  readonly backends: readonly GlobalKeyBackend[];
  readonly settings: Pick<SettingsStore, 'get' | 'listen'>;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly talkKey: Pick<TalkKeyHolders, 'handle'>;
  readonly post: PostNotice;
}

/** How long the user has to press the key in a test. */
const testMs = 10_000;

/** Holder of keys pressed in other programs. It never closes: a backend reports its end. */
const globalKeyHolder: Page = { whenGone: () => () => undefined, hasRecentInput: () => false };

/** Listens for the configured global talk key and passes it to the active talk. */
export class GlobalKeyController {
  readonly #deps: Deps;
  readonly #presses = new Listeners<undefined>();
  #view: GlobalKeyView = globalKeyOff;
  #run: GlobalKeyRun | undefined;
  #stopListening: () => void = () => undefined;

  readonly handlers: GlobalKeyHandlers = {
    globalKey: () => this.#view,
    testGlobalKey: (_input, page) => this.#test(page),
    retryGlobalKey: async () => {
      await this.#apply();
      return undefined;
    },
  };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Starts listening, in hosts that stay open. */
  begin(): void {
    const { settings } = this.#deps;
    this.#stopListening = settings.listen((event) => {
      if (event.kind !== 'changed') return;
      if (!isSameKey(event.settings.talking, event.before.talking)) void this.#apply();
    });
    void this.#apply();
  }

  async end(): Promise<void> {
    this.#stopListening();
    await this.#endRun();
  }

  async #apply(): Promise<void> {
    const { everywhere: on, globalKey } = this.#deps.settings.get().talking;
    // The old backend must release the key before the same key is requested again.
    const leaving = this.#endRun();
    const run = on && globalKey !== 'none' ? this.#createRun(globalKey) : undefined;
    this.#run = run;
    if (!on) this.#show({ state: { kind: 'off' } });
    else if (run === undefined)
      this.#show({ state: { kind: 'unavailable', error: appError('globalKeyUnset') } });
    await leaving;
    // The settings may have changed meanwhile.
    if (run !== undefined && this.#run === run) await run.begin();
  }

  #createRun(chord: string): GlobalKeyRun {
    const { backends, clock } = this.#deps;
    return new GlobalKeyRun(chord, {
      backends,
      clock,
      onEvent: this.#onKeyEvent,
      changed: (state) => this.#show({ state }),
    });
  }

  async #endRun(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    this.#reportLoss();
    await run.end();
  }

  readonly #onKeyEvent = (event: TalkKeyEvent): void => {
    this.#show({ seen: { event, at: this.#deps.wallClock() } });
    if (event === 'press' || event === 'toggle') this.#presses.emit(undefined);
    if (event === 'lost') this.#reportLoss();
    // Without a talk the key has no effect, but the view still shows that it arrived.
    else this.#deps.talkKey.handle(globalKeyHolder, event);
  };

  #reportLoss(): void {
    this.#deps.talkKey.handle(globalKeyHolder, 'lost', appError('talkKeyLost'));
  }

  #show(part: Partial<GlobalKeyView>): void {
    this.#view = { ...this.#view, ...part };
    this.#deps.post('globalKeyChanged', this.#view);
  }

  async #test(page: Page): Promise<GlobalKeyTestResult> {
    const { clock } = this.#deps;
    const from = clock.now();
    const ends: (() => void)[] = [];
    const result = await new Promise<GlobalKeyTestResult>((resolve) => {
      const giveUp = (): void => resolve({ arrived: false });
      ends.push(
        this.#presses.add(() => resolve({ arrived: true, ms: clock.now() - from })),
        clock.after(testMs, giveUp),
        page.whenGone(giveUp),
      );
    });
    for (const end of ends) end();
    return result;
  }
}

function isSameKey(one: TalkingSettings, other: TalkingSettings): boolean {
  return one.everywhere === other.everywhere && one.globalKey === other.globalKey;
}

interface GlobalKeyRunDeps {
  readonly backends: readonly GlobalKeyBackend[];
  readonly clock: Clock;
  readonly onEvent: (event: TalkKeyEvent) => void;
  readonly changed: (state: GlobalKeyState) => void;
}

/** Preferred first: backends that report both press and release. */
const methodOrder: readonly GlobalKeyMethod[] = ['uiohook', 'portal', 'globalShortcut'];

/** A backend is given up after this many ends in a row. */
const maxEndsInRow = 10;
const firstPauseMs = 500;
const maxPauseMs = 30_000;
/** An end after this long is not counted as one in a row. */
const stableMs = 60_000;

interface Listening {
  readonly since: number;
  /** Cancels the request while the backend is still being asked. */
  readonly withdraw: () => void;
  readonly stop?: () => Promise<void>;
}

/** Receives one chord through the first backend that accepts it. */
class GlobalKeyRun {
  readonly #deps: GlobalKeyRunDeps;
  readonly #chord: string;
  readonly #givenUp = new Set<GlobalKeyBackend>();
  #listening: Listening | undefined;
  #ends = 0;
  #over = false;
  readonly #pause: Timer;

  constructor(chord: string, deps: GlobalKeyRunDeps) {
    this.#chord = chord;
    this.#deps = deps;
    this.#pause = new Timer(deps.clock);
  }

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
    this.#pause.stop();
    const listening = this.#listening;
    this.#listening = undefined;
    if (listening?.stop === undefined) listening?.withdraw();
    else await listening.stop();
  }

  #candidates(): readonly GlobalKeyBackend[] {
    return methodOrder.flatMap((name) =>
      this.#deps.backends.filter(
        (backend) => backend.name === name && !this.#givenUp.has(backend) && backend.isSupported(),
      ),
    );
  }

  async #listen(backend: GlobalKeyBackend): Promise<Outcome<undefined>> {
    let withdraw = noop;
    const withdrawn = new Promise<void>((resolve) => (withdraw = resolve));
    const asked: Listening = { since: this.#deps.clock.now(), withdraw };
    this.#listening = asked;
    let ended = false;
    const outcome = await backend.listen(
      this.#chord,
      (event) => {
        if (!this.#over && !ended) this.#deps.onEvent(event);
      },
      () => {
        if (ended || this.#over) return;
        ended = true;
        // Before `listen` resolves, its outcome decides.
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

  /** The backend stopped, so a release of the key would be missed: the key counts as lost. */
  #ended(backend: GlobalKeyBackend): void {
    const { clock, onEvent, changed } = this.#deps;
    const lived = clock.now() - (this.#listening?.since ?? 0);
    this.#listening = undefined;
    onEvent('lost');
    this.#ends = lived >= stableMs ? 1 : this.#ends + 1;
    if (this.#ends >= maxEndsInRow) {
      this.#givenUp.add(backend);
      this.#ends = 0;
      void this.begin(appError('globalKeyEnded', { times: maxEndsInRow }));
      return;
    }
    const inMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (this.#ends - 1));
    changed({ kind: 'retrying', inMs });
    this.#pause.set(inMs, () => void this.begin());
  }
}

const noop = (): void => undefined;

const noneOffered: AppError = appError('globalKeyNowhere');
