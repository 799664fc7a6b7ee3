import { appError } from '../../../shared/errors/app-error.ts';
import type { CursorKey } from '../../../shared/cursor/quick-view.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import type { Page } from '../../../shared/ipc/page.ts';
import type { GlobalKeyHandlers } from '../../../shared/ipc/talk-ipc.ts';
import { Listeners } from '../../../shared/listeners.ts';
import type { Clock, WallClock } from '../../../shared/ports/clock.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import {
  canBeTaken,
  type GlobalKey,
  type GlobalKeyMethod,
  globalKeyOff,
  type GlobalKeyState,
  type GlobalKeyTestResult,
  type GlobalKeyView,
  isSameChord,
  type TalkKeyEvent,
} from '../../../shared/talk/global-key.ts';
import { isSameJson } from '../../../shared/protocol/json.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import type { GlobalKeyBackend } from './global-key-backend.ts';
import { GlobalKeyListener } from './global-key-listener.ts';
import type { TalkKeyHolders } from './talk-key-holders.ts';

interface Deps {
  /** Empty if the host has no backends. */
  readonly backends: readonly GlobalKeyBackend[];
  readonly settings: Pick<SettingsStore, 'get' | 'listen'>;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly talkKey: Pick<TalkKeyHolders, 'handle'>;
  readonly onCursorKey: (key: CursorKey, event: TalkKeyEvent) => void;
  readonly post: PostNotice;
}

/** How long the user has to press the key in a test. */
const testMs = 10_000;

/** Holder of keys pressed in other programs. It never closes; a backend that ends reports that its keys are lost. */
const globalKeyHolder: Page = { whenGone: () => () => undefined, hasRecentInput: () => false };

/**
 * Backends in order of preference. Keys that need the release prefer backends that report it; other keys prefer backends that do
 * not watch the keyboard.
 */
const preferredBackends = {
  release: ['uiohook', 'portal', 'globalShortcut'],
  press: ['globalShortcut', 'portal'],
} as const satisfies Readonly<Record<string, readonly GlobalKeyMethod[]>>;

/** Global keys are registered in two groups, by whether their release matters. */
type KeyGroup = keyof typeof preferredBackends;

const keyGroups: readonly KeyGroup[] = ['release', 'press'];

interface WantedKey extends GlobalKey {
  readonly group: KeyGroup;
  /** Undefined for the talk key; other keys belong to the small window. */
  readonly cursor?: CursorKey;
}

/** Listens for all global keys, and passes them to the active talk and the small window. */
export class GlobalKeyController {
  readonly #deps: Deps;
  readonly #presses = new Listeners<undefined>();
  readonly #listeners = new Map<KeyGroup, GlobalKeyListener>();
  #wanted: readonly WantedKey[] = [];
  #view: GlobalKeyView = globalKeyOff;
  #stopListening: () => void = () => undefined;

  readonly handlers: GlobalKeyHandlers = {
    globalKey: () => this.#view,
    testGlobalKey: (_input, page) => this.#test(page),
    retryGlobalKey: async () => {
      await this.#apply({ again: true });
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
      if (signature(event.settings) !== signature(event.before)) void this.#apply();
    });
    void this.#apply();
  }

  async end(): Promise<void> {
    this.#stopListening();
    await Promise.all(keyGroups.map((group) => this.#endListener(group)));
  }

  /** Restarts only groups whose keys changed, because a restart releases held keys. */
  async #apply({ again = false } = {}): Promise<void> {
    const { everywhere: on, globalKey } = this.#deps.settings.get().talking;
    const wanted = wantedKeys(this.#deps.settings.get());
    const accepted = firstOfEachChord(wanted);
    const plan = this.#planGroups(accepted);
    const changing = keyGroups.filter(
      (group) => again || !isSameJson(plan[group], this.#listeners.get(group)?.keys),
    );
    // The old backend must release a key before the same key is requested again.
    const leaving = changing.map((group) => this.#endListener(group));
    this.#wanted = accepted;
    this.#showPlan(wanted, accepted);
    if (!on) this.#show({ state: { kind: 'off' } });
    else if (globalKey === 'none')
      this.#show({ state: { kind: 'unavailable', error: appError('globalKeyUnset') } });
    const listeners = changing.flatMap((group) => {
      const keys = plan[group];
      if (keys === undefined) return [];
      const listener = this.#createListener(group, keys);
      this.#listeners.set(group, listener);
      return [listener];
    });
    await Promise.all(leaving);
    // The settings may have changed meanwhile.
    const current = new Set(this.#listeners.values());
    await Promise.all(
      listeners.filter((listener) => current.has(listener)).map((listener) => listener.begin()),
    );
  }

  /** Uses one group if the same backend is preferred in both, so that the desktop asks the user only once. */
  #planGroups(
    keys: readonly WantedKey[],
  ): Readonly<Record<KeyGroup, readonly GlobalKey[] | undefined>> {
    const shared = this.#firstMethod('release') === this.#firstMethod('press');
    const inGroup = (group: KeyGroup): readonly GlobalKey[] | undefined => {
      const found = keys.filter((key) => (shared ? 'release' : key.group) === group);
      return found.length === 0
        ? undefined
        : found.map(({ id, chord, action, isWithheld }) => ({ id, chord, action, isWithheld }));
    };
    return { release: inGroup('release'), press: inGroup('press') };
  }

  #firstMethod(group: KeyGroup): GlobalKeyMethod | undefined {
    const { backends } = this.#deps;
    return preferredBackends[group].find((name) =>
      backends.some((backend) => backend.name === name && backend.isSupported()),
    );
  }

  #createListener(group: KeyGroup, keys: readonly GlobalKey[]): GlobalKeyListener {
    const { backends, clock } = this.#deps;
    const listener: GlobalKeyListener = new GlobalKeyListener(keys, {
      backends,
      order: preferredBackends[group],
      clock,
      onEvent: this.#onKeyEvent,
      onStateChange: (some, state) => {
        if (this.#listeners.get(group) === listener) this.#showStates(some, state);
      },
    });
    return listener;
  }

  async #endListener(group: KeyGroup): Promise<void> {
    const listener = this.#listeners.get(group);
    if (listener === undefined) return;
    this.#listeners.delete(group);
    for (const { id } of listener.keys) this.#reportLoss(id);
    await listener.end();
  }

  readonly #onKeyEvent = (id: string, event: TalkKeyEvent): void => {
    if (id !== 'talk') {
      this.#passToCursor(id, event);
      return;
    }
    this.#show({ seen: { event, at: this.#deps.wallClock() } });
    if (event === 'press' || event === 'toggle') this.#presses.emit(undefined);
    if (event === 'lost') this.#reportLoss(id);
    // Without a talk the key has no effect, but the view still shows that it arrived.
    else this.#deps.talkKey.handle(globalKeyHolder, event);
  };

  #reportLoss(id: string): void {
    if (id === 'talk') this.#deps.talkKey.handle(globalKeyHolder, 'lost', appError('talkKeyLost'));
    else this.#passToCursor(id, 'lost');
  }

  #passToCursor(id: string, event: TalkKeyEvent): void {
    const key = this.#wanted.find((each) => each.id === id)?.cursor;
    if (key !== undefined) this.#deps.onCursorKey(key, event);
  }

  /** Shows keys whose chord an earlier key uses as unavailable, and drops the states of removed keys. */
  #showPlan(wanted: readonly WantedKey[], accepted: readonly WantedKey[]): void {
    const cursorIds = wanted.filter(({ cursor }) => cursor !== undefined).map(({ id }) => id);
    if (cursorIds.length === 0 && this.#view.cursor === undefined) return;
    const known = this.#view.cursor ?? {};
    const states = cursorIds.map((id): readonly [string, GlobalKeyState] => {
      const isAccepted = accepted.some((key) => key.id === id);
      return [id, isAccepted ? (known[id] ?? { kind: 'starting' }) : twice];
    });
    this.#show({ cursor: cursorIds.length === 0 ? undefined : Object.fromEntries(states) });
  }

  #showStates(keys: readonly GlobalKey[], state: GlobalKeyState): void {
    const others = keys.filter(({ id }) => id !== 'talk');
    const isTalk = others.length < keys.length;
    const states = Object.fromEntries(others.map(({ id }) => [id, state]));
    this.#show({
      ...(isTalk && { state }),
      ...(others.length > 0 && { cursor: { ...this.#view.cursor, ...states } }),
    });
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

const twice: GlobalKeyState = { kind: 'unavailable', error: appError('globalKeyTwice') };

/** Every enabled key with a chord, in order of precedence: `firstOfEachChord` keeps the first key of each chord. */
function wantedKeys({ talking, cursor }: Settings): readonly WantedKey[] {
  const { askKey, dictateKey, lookKey, regionKey, actions } = cursor;
  const talk: WantedKey = { id: 'talk', chord: talking.globalKey, group: 'release' };
  const others: readonly WantedKey[] = [
    { id: 'ask', chord: askKey, group: 'press', cursor: 'ask' },
    {
      id: 'dictate',
      chord: dictateKey,
      group: 'release',
      cursor: 'dictate',
      isWithheld: canBeTaken(dictateKey),
    },
    { id: 'look', chord: lookKey, group: 'press', cursor: 'look' },
    { id: 'region', chord: regionKey, group: 'press', cursor: 'region' },
    ...actions.map(({ id, name, key }): WantedKey => ({
      id: `action-${id}`,
      chord: key,
      group: 'press',
      cursor: { action: id },
      action: { id, name },
    })),
  ];
  const all = [...(talking.everywhere ? [talk] : []), ...(cursor.enabled ? others : [])];
  return all.filter(({ chord }) => chord !== 'none');
}

function firstOfEachChord(keys: readonly WantedKey[]): readonly WantedKey[] {
  return keys.filter(
    ({ chord }, index) =>
      !keys.slice(0, index).some((earlier) => isSameChord(earlier.chord, chord, true)),
  );
}

function signature(settings: Settings): string {
  const { everywhere, globalKey } = settings.talking;
  return JSON.stringify([everywhere, globalKey, wantedKeys(settings)]);
}
