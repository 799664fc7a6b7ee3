import { useEffect } from 'react';
import { talkKeyOf } from '../store/page-style.ts';
import { useAppContext } from '../store/use-app-context.ts';
import { overlaySelector, textInputSelector } from '../keys/focus-selectors.ts';
import { TalkKeys } from './talk-keys.ts';
import type { TalkKeyAction } from './talk-keys.ts';

const pressable = 'button, a, summary, [role="button"]';

/** Listens to the keys of the window for as long as the talk's screen is there. */
export function useTalkKeys(): void {
  const { store, actions } = useAppContext();
  useEffect(() => {
    const keys = new TalkKeys();
    const leaving = new AbortController();
    const { signal } = leaving;
    /** What was reached by keyboard is worked by keyboard; after a click the talk key is itself again. */
    let reached: EventTarget | null = null;

    const act = (action: TalkKeyAction | undefined): void => {
      if (action === 'interrupt') void actions.interrupt();
      else if (action !== undefined) void actions.talkKey(action);
    };
    const isBusy = ({ target, key }: KeyboardEvent): boolean => {
      // An open menu closes by Escape; a tip alone does not keep it from interrupting.
      if (key === 'Escape') return document.querySelector(overlaySelector) !== null;
      if (!(target instanceof Element)) return false;
      if (target.closest(textInputSelector) !== null || target.closest(overlaySelector) !== null)
        return true;
      return target === reached && target.matches(pressable);
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
    listen('blur', () => {
      act(keys.blurred());
    });
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.hidden) act(keys.blurred());
      },
      { signal },
    );
    return () => {
      act(keys.blurred());
      leaving.abort();
    };
  }, [store, actions]);
}
