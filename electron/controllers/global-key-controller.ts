import { appError } from '../../shared/errors/app-error.ts';
import type { Handlers, PostNotice } from '../../shared/ipc/contract.ts';
import type { Page } from '../../shared/ipc/page.ts';
import { Listeners } from '../../shared/listeners.ts';
import type { TalkingSettings } from '../../shared/settings/settings-groups.ts';
import { globalKeyOff } from '../../shared/talk/global-key-view.ts';
import type { GlobalKeyTestResult, GlobalKeyView } from '../../shared/talk/global-key-view.ts';
import type { Clock, WallClock } from '../ports/clock.ts';
import type { GlobalKeyBackend, GlobalKeyEvent } from '../ports/global-keys.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { GlobalKeyRun } from './global-key-run.ts';
import type { TalkKeyHolders } from './talk-key-holders.ts';
import type { GlobalKeyHandlers } from './controller-handlers.ts';

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
      changed: (state) => {
        this.#show({ state });
      },
    });
  }

  async #leave(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    this.#lose();
    await run.end();
  }

  readonly #hear = (event: GlobalKeyEvent): void => {
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
      const giveUp = (): void => {
        resolve({ arrived: false });
      };
      ends.push(
        this.#arrivals.add(() => {
          resolve({ arrived: true, ms: clock.now() - from });
        }),
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
