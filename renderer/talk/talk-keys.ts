import { useEffect } from 'react';
import type { KeySettings } from '../../shared/settings/key-settings.ts';
import {
  isChordPressed,
  isChordReleased,
  type KeyChord,
  type KeyStroke,
  parseChord,
} from '../../shared/talk/global-key.ts';
import type { PushToTalkMode } from '../../shared/talk/talk-state.ts';
import type { AppContext } from '../app/app-context.ts';
import { talkKeyOf, windowKeysOf } from '../app/page-style.ts';
import { useAppContext } from '../app/use-app-context.ts';
import { useWindowKeydown } from '../keys/use-window-keydown.ts';
import {
  isWindowKey,
  isWriting,
  overlaySelector,
  pressableSelector,
  textInputSelector,
} from '../keys/window-keys.ts';

export interface TalkKeyPress extends KeyStroke {
  readonly key: string;
  readonly repeat: boolean;
  readonly composing: boolean;
  /** Where the key goes by itself: a text being written, a menu, a button reached by keyboard. */
  readonly busy: boolean;
}

export interface TalkKeyContext {
  readonly talking: PushToTalkMode;
  /** There is a talk to press a key for. */
  readonly live: boolean;
  /** The talk key as it is set. */
  readonly talkKey: string;
  readonly keys: KeySettings;
}

/** What one press does, each but `cough` once and for all. */
const pressed = ['interrupt', 'mute', 'cough', 'pause', 'end', 'keepRecent'] as const;

type TalkKeyAction = 'press' | 'release' | 'lost' | (typeof pressed)[number] | 'coughOver';

/**
 * What the keys of the window mean for a talk: one is the talk key, others interrupt, mute, end it. `take` says that
 * nobody else is to act on it, also where nothing is done, as with a repeated one.
 */
export class TalkKeys {
  /** The key that is down: it ends what it began, also where another one has been set meanwhile. */
  #down: KeyChord | undefined;
  /** The code of the key that is held to cough. */
  #cough: string | undefined;

  keyDown(
    press: TalkKeyPress,
    context: TalkKeyContext,
  ): { action?: TalkKeyAction; handled: boolean } {
    const { talking, live, talkKey, keys } = context;
    const ours = live && !press.composing && !press.busy;
    const action = ours ? pressed.find((name) => isWindowKey(keys, name, press)) : undefined;
    if (action !== undefined) {
      if (press.repeat) return { handled: true };
      if (action === 'cough') this.#cough = press.code;
      return { action, handled: true };
    }
    if (this.#down !== undefined) return { handled: press.code === this.#down.code };
    const chord = parseChord(talkKey);
    if (!isChordPressed(chord, press) || talking === 'open') return { handled: false };
    if (!ours) return { handled: false };
    // A key that is held since before the talk, or since a menu closed, was not pressed for it.
    if (press.repeat) return { handled: true };
    this.#down = chord;
    return { action: 'press', handled: true };
  }

  /** It comes up whatever else has changed meanwhile. */
  keyUp(press: Pick<TalkKeyPress, 'code'>): { action?: TalkKeyAction; handled: boolean } {
    if (this.#cough === press.code) {
      this.#cough = undefined;
      return { action: 'coughOver', handled: true };
    }
    if (this.#down === undefined || !isChordReleased(this.#down, press.code))
      return { handled: false };
    this.#down = undefined;
    return { action: 'release', handled: true };
  }

  /** The window lost the keyboard: whether the key is still down, nobody can say. */
  blurred(): TalkKeyAction | undefined {
    if (this.#cough !== undefined) {
      this.#cough = undefined;
      return 'coughOver';
    }
    if (this.#down === undefined) return undefined;
    this.#down = undefined;
    return 'lost';
  }
}

/** Listens to the keys of the window for as long as the talk's screen is there. */
export function useTalkKeys(): void {
  const app = useAppContext();
  useEffect(() => {
    const { store } = app;
    const keys = new TalkKeys();
    const leaving = new AbortController();
    const { signal } = leaving;
    /** What was reached by keyboard is worked by keyboard; after a click the talk key is itself again. */
    let reached: EventTarget | null = null;

    const act = (action: TalkKeyAction | undefined): void => {
      if (action !== undefined) void actionFor(action, app);
    };
    /** Both may be held: a cough and the talk key. */
    const blur = (): void => {
      act(keys.blurred());
      act(keys.blurred());
    };
    const isBusy = ({ target, key }: KeyboardEvent): boolean => {
      // An open menu closes by Escape; a tip alone does not keep it from interrupting.
      if (key === 'Escape') return document.querySelector(overlaySelector) !== null;
      if (!(target instanceof Element)) return false;
      if (target.closest(textInputSelector) !== null || target.closest(overlaySelector) !== null)
        return true;
      return (
        target === reached && target.matches(pressableSelector) && (key === ' ' || key === 'Enter')
      );
    };
    const listen = <Name extends keyof WindowEventMap>(
      name: Name,
      listener: (event: WindowEventMap[Name]) => void,
    ): void => {
      // Before those who would keep it for themselves.
      window.addEventListener(name, listener, { signal, capture: true });
    };

    listen('focusin', ({ target }) => {
      reached = target instanceof Element && target.matches(':focus-visible') ? target : null;
    });
    listen('keydown', (event) => {
      const view = store.getState();
      const { code, key, repeat, isComposing: composing } = event;
      const { ctrlKey, altKey, shiftKey, metaKey } = event;
      const held = { ctrlKey, altKey, shiftKey, metaKey };
      const { action, handled } = keys.keyDown(
        { code, key, repeat, ...held, composing, busy: isBusy(event) },
        {
          talking: view.controls.talking,
          live: view.talkState.value.phase === 'live',
          talkKey: talkKeyOf(view),
          keys: windowKeysOf(view),
        },
      );
      if (handled) event.preventDefault();
      act(action);
    });
    listen('keyup', (event) => {
      const { action, handled } = keys.keyUp(event);
      if (handled) event.preventDefault();
      act(action);
    });
    listen('blur', blur);
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.hidden) blur();
      },
      { signal },
    );
    return () => {
      blur();
      leaving.abort();
    };
  }, [app]);
}

function actionFor(action: TalkKeyAction, { store, actions }: AppContext): Promise<unknown> {
  const { muted, paused } = store.getState().controls;
  switch (action) {
    case 'press':
    case 'release':
    case 'lost':
      return actions.talkKey(action);
    case 'interrupt':
      return actions.interrupt();
    case 'mute':
      return actions.setMuted(!muted);
    case 'cough':
    case 'coughOver':
      return actions.setCoughMuted(action === 'cough');
    case 'pause':
      return actions.setPaused(!paused);
    case 'end':
      return actions.end();
    case 'keepRecent':
      return actions.history.keepRecent();
  }
}

/**
 * The key that interrupts works wherever one is; on the Talk screen it is one of that screen's own keys. Elsewhere it
 * comes after whoever else needs it, such as a search that it clears; only a replay waits behind a talk.
 */
export function useInterruptKey(): void {
  const app = useAppContext();
  const take = (event: KeyboardEvent, replays: boolean): void => {
    if (replays !== (app.store.getState().screen === 'replay') || !isInterrupt(event, app)) return;
    event.preventDefault();
    if (!event.repeat) void app.actions.interrupt();
  };
  useWindowKeydown((event) => take(event, true), { capture: true });
  useWindowKeydown((event) => take(event, false));
}

function isInterrupt(event: KeyboardEvent, { store }: AppContext): boolean {
  const view = store.getState();
  if (event.defaultPrevented || event.isComposing || view.screen === 'talk') return false;
  if (view.talkState.value.phase !== 'live') return false;
  if (!isWindowKey(windowKeysOf(view), 'interrupt', event)) return false;
  return document.querySelector(overlaySelector) === null && !isWriting(event);
}
