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
  /** Empty where a host has none. */
  readonly backends: readonly GlobalKeyBackend[];
  readonly settings: Pick<SettingsStore, 'get' | 'listen'>;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly talkKey: Pick<TalkKeyHolders, 'handle'>;
  readonly post: PostNotice;
}

/** So long somebody who was asked to press a key has time to do it. */
const testMs = 10_000;

/** It never goes away by itself: a backend that ends says so. */
const everywhere: Page = { whenGone: () => () => undefined, usedJustNow: () => false };

/** The talk key that works in every program: listened for as it is set, and handed to the talk there is. */
export class GlobalKeyController {
  readonly #deps: Deps;
  readonly #arrivals = new Listeners<undefined>();
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

  /** For hosts that stay; before it nothing is listened for. */
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
    await this.#leave();
  }

  async #apply(): Promise<void> {
    const { everywhere: on, globalKey } = this.#deps.settings.get().talking;
    // What is left lets go before the same key is asked for again.
    const leaving = this.#leave();
    const run = on && globalKey !== 'none' ? this.#runOf(globalKey) : undefined;
    this.#run = run;
    if (!on) this.#show({ state: { kind: 'off' } });
    else if (run === undefined)
      this.#show({ state: { kind: 'unavailable', error: appError('globalKeyUnset') } });
    await leaving;
    // Another one may have been set meanwhile.
    if (run !== undefined && this.#run === run) await run.begin();
  }

  #runOf(chord: string): GlobalKeyRun {
    const { backends, clock } = this.#deps;
    return new GlobalKeyRun(chord, {
      backends,
      clock,
      hear: this.#hear,
      changed: (state) => this.#show({ state }),
    });
  }

  async #leave(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    this.#lose();
    await run.end();
  }

  readonly #hear = (event: TalkKeyEvent): void => {
    this.#show({ seen: { event, at: this.#deps.wallClock() } });
    if (event === 'press' || event === 'toggle') this.#arrivals.emit(undefined);
    if (event === 'lost') this.#lose();
    // Without a talk there is nothing to open; that it arrived is seen all the same.
    else this.#deps.talkKey.handle(everywhere, event);
  };

  #lose(): void {
    this.#deps.talkKey.handle(everywhere, 'lost', appError('talkKeyLost'));
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
        this.#arrivals.add(() => resolve({ arrived: true, ms: clock.now() - from })),
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
  readonly hear: (event: TalkKeyEvent) => void;
  readonly changed: (state: GlobalKeyState) => void;
}

/** Those that know both ends of a key come first. */
const order: readonly GlobalKeyMethod[] = ['uiohook', 'portal', 'globalShortcut'];

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
    this.#pause.stop();
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
    this.#pause.set(inMs, () => void this.begin());
  }
}

const nothing = (): void => undefined;

const noneOffered: AppError = appError('globalKeyNowhere');
