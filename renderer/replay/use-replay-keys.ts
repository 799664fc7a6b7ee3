import { useEffect } from 'react';
import { overlaySelector, textInputSelector } from '../keys/focus-selectors.ts';
import type { AppContext } from '../store/app-context.ts';
import { useAppContext } from '../store/use-app-context.ts';
import { replayKeyAction } from './replay-keys.ts';
import type { ReplayKeyAction } from './replay-keys.ts';
import { openReplayOf } from './use-open-replay.ts';
import { wordBeside } from './word-steps.ts';

const pressable = 'button, a, summary, [role="button"]';
const scrolling = /^(Home|End)$/;

/** Listens to the keys of the window for as long as the replay is there. */
export function useReplayKeys(language: string): void {
  const app = useAppContext();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const { key, ctrlKey, altKey, shiftKey, metaKey } = event;
      const busy = isBusy(event);
      const action = replayKeyAction({ key, ctrlKey, altKey, shiftKey, metaKey, busy });
      if (action === undefined || openReplayOf(app.store.getState()) === undefined) return;
      event.preventDefault();
      const once = action.kind === 'toggle' || action.kind === 'close';
      if (!once || !event.repeat) act(action, app, language);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [app, language]);
}

function isBusy({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector(overlaySelector) !== null) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(textInputSelector) !== null) return true;
  // The inspector's list and the captions have keys of their own while they are looked at.
  if (target.closest('.inspector') !== null) return true;
  if (scrolling.test(key) && target.closest('.caption-scroller') !== null) return true;
  return key === ' ' && target.matches(pressable) && target.matches(':focus-visible');
}

function act(action: ReplayKeyAction, { store, actions }: AppContext, language: string): void {
  const { replay } = actions;
  const open = openReplayOf(store.getState());
  if (open === undefined) return;
  switch (action.kind) {
    case 'toggle':
      void replay.toggle();
      return;
    case 'close':
      void replay.close();
      return;
    case 'toStart':
      void replay.seek(0);
      return;
    case 'toEnd':
      void replay.seek(open.timeline.lengthMs);
      return;
    case 'by':
      void replay.seekBy(action.ms);
      return;
    case 'step':
      void replay.step(action.way);
      return;
    case 'speed':
      void replay.speedBy(action.steps);
      return;
    case 'word': {
      const place = wordBeside(open.scene.talk.captions, action.way, language);
      if (place !== undefined) void replay.seekWord(place.turn, place.letter);
    }
  }
}
