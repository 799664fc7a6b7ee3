import type { KeyStroke } from '../../shared/talk/global-key.ts';
import type { AppContext } from '../app/app-context.ts';
import { useAppContext } from '../app/use-app-context.ts';
import { useWindowKeydown } from '../keys/use-window-keydown.ts';
import { overlaySelector, pressableSelector, textInputSelector } from '../keys/window-keys.ts';
import { adjacentWord } from './caption-position.ts';
import { selectOpenReplay } from './replay-store.ts';

type ReplayKeyAction =
  | { readonly kind: 'toggle' | 'close' | 'toStart' | 'toEnd' }
  | { readonly kind: 'by'; readonly ms: number }
  | { readonly kind: 'word' | 'step'; readonly direction: 'next' | 'previous' }
  | { readonly kind: 'speed'; readonly steps: 1 | -1 };

export interface ReplayKeyPress extends Omit<KeyStroke, 'code'> {
  readonly key: string;
  /** The key belongs to something else: a menu, a focused button, a scrolled list. */
  readonly busy: boolean;
}

export const replayKeySigns = { toggle: 'Space', previous: '[', next: ']', close: 'Esc' } as const;

const longSeekMs = 5000;
const shortSeekMs = 1000;

/** Characters match in every keyboard layout, regardless of the modifiers they need there. */
const actionByCharacter: ReadonlyMap<string, ReplayKeyAction> = new Map([
  ['[', { kind: 'step', direction: 'previous' }],
  [']', { kind: 'step', direction: 'next' }],
  ['<', { kind: 'speed', steps: -1 }],
  ['>', { kind: 'speed', steps: 1 }],
]);

const actionByKey: ReadonlyMap<string, ReplayKeyAction> = new Map([
  [' ', { kind: 'toggle' }],
  ['Escape', { kind: 'close' }],
  ['Home', { kind: 'toStart' }],
  ['End', { kind: 'toEnd' }],
]);

export function replayKeyAction(press: ReplayKeyPress): ReplayKeyAction | undefined {
  const { key, busy, shiftKey, ctrlKey, altKey, metaKey } = press;
  if (busy || metaKey) return undefined;
  const byCharacter = actionByCharacter.get(key);
  if (byCharacter !== undefined) return byCharacter;
  if (altKey) return undefined;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const direction = key === 'ArrowLeft' ? 'previous' : 'next';
    if (ctrlKey) return shiftKey ? undefined : { kind: 'word', direction };
    const ms = shiftKey ? shortSeekMs : longSeekMs;
    return { kind: 'by', ms: direction === 'next' ? ms : -ms };
  }
  return ctrlKey || shiftKey ? undefined : actionByKey.get(key);
}

const scrollKeys = /^(Home|End)$/;

export function useReplayKeys(language: string): void {
  const app = useAppContext();
  useWindowKeydown((event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const { key, ctrlKey, altKey, shiftKey, metaKey } = event;
    const busy = isBusy(event);
    const action = replayKeyAction({ key, ctrlKey, altKey, shiftKey, metaKey, busy });
    if (action === undefined || selectOpenReplay(app.store.getState()) === undefined) return;
    event.preventDefault();
    const once = action.kind === 'toggle' || action.kind === 'close';
    if (!once || !event.repeat) void perform(action, app, language);
  });
}

function isBusy({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector(overlaySelector) !== null) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(textInputSelector) !== null) return true;
  // The inspector's list and the captions use these keys while focused.
  if (target.closest('.inspector') !== null) return true;
  if (scrollKeys.test(key) && target.closest('.caption-scroller') !== null) return true;
  return key === ' ' && target.matches(pressableSelector) && target.matches(':focus-visible');
}

async function perform(
  action: ReplayKeyAction,
  { store, actions }: AppContext,
  language: string,
): Promise<unknown> {
  const { replay } = actions;
  const open = selectOpenReplay(store.getState());
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
      return replay.step(action.direction);
    case 'speed':
      return replay.speedBy(action.steps);
    case 'word': {
      const position = adjacentWord(open.scene.talk.captions, action.direction, language);
      return position && replay.seekWord(position.turn, position.offset);
    }
  }
}
