import { useEffect } from 'react';
import { talkKeyOf, windowKeysOf } from '../store/page-style.ts';
import type { AppContext } from '../store/app-context.ts';
import { useAppContext } from '../store/use-app-context.ts';
import { overlaySelector, textInputSelector } from '../keys/focus-selectors.ts';
import { TalkKeys } from './talk-keys.ts';
import type { TalkKeyAction } from './talk-keys.ts';

const pressable = 'button, a, summary, [role="button"]';

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
      return target === reached && target.matches(pressable) && (key === ' ' || key === 'Enter');
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

function actionFor(action: TalkKeyAction, { store, actions }: AppContext): Promise<void> {
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
