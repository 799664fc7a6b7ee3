import { useEffect } from 'react';
import type { KeySettings } from '../../shared/settings/app-settings.ts';
import {
  isChordPressed,
  isChordReleased,
  type KeyChord,
  type KeyStroke,
  parseChord,
} from '../../shared/talk/global-key.ts';
import type { PushToTalkMode } from '../../shared/talk/talk-view.ts';
import { type AppContext, useAppContext } from '../app/app-context.ts';
import { selectTalkKey, selectWindowKeys } from '../app/page-style.ts';
import {
  isWindowKey,
  isWriting,
  overlaySelector,
  pressableSelector,
  textInputSelector,
  useWindowKeydown,
} from '../keys/window-keys.ts';

export interface TalkKeyPress extends KeyStroke {
  readonly key: string;
  readonly repeat: boolean;
  readonly composing: boolean;
  /** The key belongs to something else: a text field, a menu, or a button focused by keyboard. */
  readonly busy: boolean;
}

export interface TalkKeyContext {
  readonly talking: PushToTalkMode;
  readonly live: boolean;
  readonly talkKey: string;
  readonly keys: KeySettings;
}

const commands = ['interrupt', 'mute', 'cough', 'pause', 'end', 'keepRecent', 'doRequest'] as const;

type TalkKeyAction = 'press' | 'release' | 'lost' | (typeof commands)[number] | 'coughOver';

/** Turns key events into actions of a talk. `handled` without an action means that Parley uses the key up, as with key repeat. */
export class TalkKeys {
  /** The talk key that is down. Releasing it ends the press even if another key was set meanwhile. */
  heldChord: KeyChord | undefined;
  coughKey: string | undefined;

  keyDown(
    press: TalkKeyPress,
    context: TalkKeyContext,
  ): { action?: TalkKeyAction; handled: boolean } {
    const { talking, live, talkKey, keys } = context;
    const isForTalk = live && !press.composing && !press.busy;
    const action = isForTalk ? commands.find((name) => isWindowKey(keys, name, press)) : undefined;
    if (action !== undefined) {
      if (press.repeat) return { handled: true };
      if (action === 'cough') this.coughKey = press.code;
      return { action, handled: true };
    }
    if (this.heldChord !== undefined) return { handled: press.code === this.heldChord.code };
    const chord = parseChord(talkKey);
    if (!isChordPressed(chord, press) || talking === 'open') return { handled: false };
    if (!isForTalk) return { handled: false };
    // The key was down before the talk began or the menu closed, so it was not pressed for the talk.
    if (press.repeat) return { handled: true };
    this.heldChord = chord;
    return { action: 'press', handled: true };
  }

  /** A release counts in every state of the talk. */
  keyUp(press: Pick<TalkKeyPress, 'code'>): { action?: TalkKeyAction; handled: boolean } {
    if (this.coughKey === press.code) {
      this.coughKey = undefined;
      return { action: 'coughOver', handled: true };
    }
    if (this.heldChord === undefined || !isChordReleased(this.heldChord, press.code))
      return { handled: false };
    this.heldChord = undefined;
    return { action: 'release', handled: true };
  }

  /** Without the focus, the window cannot see whether the key is still down. */
  blur(): TalkKeyAction | undefined {
    if (this.coughKey !== undefined) {
      this.coughKey = undefined;
      return 'coughOver';
    }
    if (this.heldChord === undefined) return undefined;
    this.heldChord = undefined;
    return 'lost';
  }
}

export function useTalkKeys(): void {
  const app = useAppContext();
  useEffect(() => {
    const { store } = app;
    const keys = new TalkKeys();
    const listening = new AbortController();
    const { signal } = listening;
    /** The element that got the focus by keyboard, which Space and Enter press. After a click they are keys of the talk. */
    let keyboardFocus: EventTarget | null = null;

    const act = (action: TalkKeyAction | undefined): void => {
      if (action !== undefined) void actionFor(action, app);
    };
    /** Each call of `keys.blur` releases one key. Two can be down: the cough key and the talk key. */
    const blur = (): void => {
      act(keys.blur());
      act(keys.blur());
    };
    const isBusy = ({ target, key }: KeyboardEvent): boolean => {
      // Escape closes an open menu first. A tooltip does not block it.
      if (key === 'Escape') return document.querySelector(overlaySelector) !== null;
      if (!(target instanceof Element)) return false;
      if (target.closest(textInputSelector) !== null || target.closest(overlaySelector) !== null)
        return true;
      return (
        target === keyboardFocus &&
        target.matches(pressableSelector) &&
        (key === ' ' || key === 'Enter')
      );
    };
    const listen = <Name extends keyof WindowEventMap>(
      name: Name,
      listener: (event: WindowEventMap[Name]) => void,
    ): void => {
      // The capture phase comes before handlers that stop the event.
      window.addEventListener(name, listener, { signal, capture: true });
    };

    listen('focusin', ({ target }) => {
      keyboardFocus = target instanceof Element && target.matches(':focus-visible') ? target : null;
    });
    listen('keydown', (event) => {
      const state = store.getState();
      const { code, key, repeat, isComposing: composing } = event;
      const { ctrlKey, altKey, shiftKey, metaKey } = event;
      const modifiers = { ctrlKey, altKey, shiftKey, metaKey };
      const { action, handled } = keys.keyDown(
        { code, key, repeat, ...modifiers, composing, busy: isBusy(event) },
        {
          talking: state.controls.talking,
          live: state.talkState.value.phase === 'live',
          talkKey: selectTalkKey(state),
          keys: selectWindowKeys(state),
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
      listening.abort();
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
    case 'doRequest':
      return actions.doRequest();
  }
}

/**
 * Interrupts the talk from other screens. Their own uses of the key come first, such as clearing a search, except that
 * the talk comes before a replay.
 */
export function useInterruptKey(): void {
  const app = useAppContext();
  const interruptFor = (event: KeyboardEvent, replays: boolean): void => {
    if (replays !== (app.store.getState().screen === 'replay') || !isInterrupt(event, app)) return;
    event.preventDefault();
    if (!event.repeat) void app.actions.interrupt();
  };
  useWindowKeydown((event) => interruptFor(event, true), { capture: true });
  useWindowKeydown((event) => interruptFor(event, false));
}

function isInterrupt(event: KeyboardEvent, { store }: AppContext): boolean {
  const view = store.getState();
  if (event.defaultPrevented || event.isComposing || view.screen === 'talk') return false;
  if (view.talkState.value.phase !== 'live') return false;
  if (!isWindowKey(selectWindowKeys(view), 'interrupt', event)) return false;
  return document.querySelector(overlaySelector) === null && !isWriting(event);
}
