import { useEffect } from 'react';
import { talkKeyOf } from '../store/look.ts';
import { useDesk } from '../store/use-desk.ts';
import { layers, writes } from '../keys/busy-places.ts';
import { TalkKeys } from './talk-keys.ts';
import type { KeyDeed } from './talk-keys.ts';

const pressable = 'button, a, summary, [role="button"]';

/** Listens to the keys of the window for as long as the talk's screen is there. */
export function useTalkKeys(): void {
  const { store, actions } = useDesk();
  useEffect(() => {
    const keys = new TalkKeys();
    const leaving = new AbortController();
    const { signal } = leaving;
    /** What was reached by keyboard is worked by keyboard; after a click the talk key is itself again. */
    let reached: EventTarget | null = null;

    const act = (deed: KeyDeed | undefined): void => {
      if (deed === 'interrupt') void actions.interrupt();
      else if (deed !== undefined) void actions.talkKey(deed);
    };
    const isBusy = ({ target, key }: KeyboardEvent): boolean => {
      // An open menu closes by Escape; a tip alone does not keep it from interrupting.
      if (key === 'Escape') return document.querySelector(layers) !== null;
      if (!(target instanceof Element)) return false;
      if (target.closest(writes) !== null || target.closest(layers) !== null) return true;
      return target === reached && target.matches(pressable);
    };
    const listen = <Name extends keyof WindowEventMap>(
      name: Name,
      hear: (event: WindowEventMap[Name]) => void,
    ): void => {
      // Before those who would keep it for themselves.
      window.addEventListener(name, hear, { signal, capture: true });
    };

    listen('focusin', ({ target }) => {
      reached = target instanceof Element && target.matches(':focus-visible') ? target : null;
    });
    listen('keydown', (event) => {
      const view = store.view();
      const { code, key, repeat, isComposing: composing } = event;
      const { ctrlKey, altKey, shiftKey, metaKey } = event;
      const held = { ctrlKey, altKey, shiftKey, metaKey };
      const { deed, take } = keys.keyDown(
        { code, key, repeat, ...held, composing, busy: isBusy(event) },
        {
          talking: view.controls.talking,
          live: view.state.value.phase === 'live',
          talkKey: talkKeyOf(view),
        },
      );
      if (take) event.preventDefault();
      act(deed);
    });
    listen('keyup', (event) => {
      const { deed, take } = keys.keyUp(event);
      if (take) event.preventDefault();
      act(deed);
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
