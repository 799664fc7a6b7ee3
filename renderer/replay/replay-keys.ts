import type { KeyStroke } from '../../shared/talk/global-key.ts';
import type { AppContext } from '../app/app-context.ts';
import { useAppContext } from '../app/use-app-context.ts';
import { useWindowKeydown } from '../keys/use-window-keydown.ts';
import { overlaySelector, pressableSelector, textInputSelector } from '../keys/window-keys.ts';
import { wordBeside } from './caption-place.ts';
import { openReplayOf } from './replay-store.ts';

type ReplayKeyAction =
  | { readonly kind: 'toggle' | 'close' | 'toStart' | 'toEnd' }
  | { readonly kind: 'by'; readonly ms: number }
  | { readonly kind: 'word' | 'step'; readonly way: 'next' | 'previous' }
  | { readonly kind: 'speed'; readonly steps: 1 | -1 };

export interface ReplayKeyPress extends Omit<KeyStroke, 'code'> {
  readonly key: string;
  /** Where the key goes by itself: a menu, a button that was reached by keyboard, a list that is scrolled. */
  readonly busy: boolean;
}

/** As they are told; the first as the talk key is named. */
export const replayKeySigns = { toggle: 'Space', previous: '[', next: ']', close: 'Esc' } as const;

const farMs = 5000;
const nearMs = 1000;

/** Signs are where a keyboard has them, with whatever it needs for them. */
const bySign: ReadonlyMap<string, ReplayKeyAction> = new Map([
  ['[', { kind: 'step', way: 'previous' }],
  [']', { kind: 'step', way: 'next' }],
  ['<', { kind: 'speed', steps: -1 }],
  ['>', { kind: 'speed', steps: 1 }],
]);

const plain: ReadonlyMap<string, ReplayKeyAction> = new Map([
  [' ', { kind: 'toggle' }],
  ['Escape', { kind: 'close' }],
  ['Home', { kind: 'toStart' }],
  ['End', { kind: 'toEnd' }],
]);

/** What a key does to a replay; nothing where it is not one of its keys. */
export function replayKeyAction(press: ReplayKeyPress): ReplayKeyAction | undefined {
  const { key, busy, shiftKey, ctrlKey, altKey, metaKey } = press;
  if (busy || metaKey) return undefined;
  const sign = bySign.get(key);
  if (sign !== undefined) return sign;
  if (altKey) return undefined;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const way = key === 'ArrowLeft' ? 'previous' : 'next';
    if (ctrlKey) return shiftKey ? undefined : { kind: 'word', way };
    const ms = shiftKey ? nearMs : farMs;
    return { kind: 'by', ms: way === 'next' ? ms : -ms };
  }
  return ctrlKey || shiftKey ? undefined : plain.get(key);
}

const scrolling = /^(Home|End)$/;

/** Listens to the keys of the window for as long as the replay is there. */
export function useReplayKeys(language: string): void {
  const app = useAppContext();
  useWindowKeydown((event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const { key, ctrlKey, altKey, shiftKey, metaKey } = event;
    const busy = isBusy(event);
    const action = replayKeyAction({ key, ctrlKey, altKey, shiftKey, metaKey, busy });
    if (action === undefined || openReplayOf(app.store.getState()) === undefined) return;
    event.preventDefault();
    const once = action.kind === 'toggle' || action.kind === 'close';
    if (!once || !event.repeat) void act(action, app, language);
  });
}

function isBusy({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector(overlaySelector) !== null) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(textInputSelector) !== null) return true;
  // The inspector's list and the captions have keys of their own while they are looked at.
  if (target.closest('.inspector') !== null) return true;
  if (scrolling.test(key) && target.closest('.caption-scroller') !== null) return true;
  return key === ' ' && target.matches(pressableSelector) && target.matches(':focus-visible');
}

async function act(
  action: ReplayKeyAction,
  { store, actions }: AppContext,
  language: string,
): Promise<unknown> {
  const { replay } = actions;
  const open = openReplayOf(store.getState());
  if (open === undefined) return undefined;
  switch (action.kind) {
    case 'toggle':
      return replay.toggle();
    case 'close':
      return replay.close();
    case 'toStart':
      return replay.seek(0);
    case 'toEnd':
      return replay.seek(open.timeline.lengthMs);
    case 'by':
      return replay.seekBy(action.ms);
    case 'step':
      return replay.step(action.way);
    case 'speed':
      return replay.speedBy(action.steps);
    case 'word': {
      const place = wordBeside(open.scene.talk.captions, action.way, language);
      return place && replay.seekWord(place.turn, place.letter);
    }
  }
}
