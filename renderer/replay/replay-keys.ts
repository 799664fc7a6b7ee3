import type { CaptionedTurn } from '../../shared/talk/talk-view.ts';
import type { KeyStroke } from '../../shared/talk/global-key.ts';
import { type AppContext, useAppContext } from '../app/app-context.ts';
import {
  overlaySelector,
  pressableSelector,
  textInputSelector,
  useWindowKeydown,
} from '../keys/window-keys.ts';
import { selectOpenReplay } from './replay-actions.ts';

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
    const ignoresRepeat = action.kind === 'toggle' || action.kind === 'close';
    if (!ignoresRepeat || !event.repeat) void perform(action, app, language);
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

interface CaptionPosition {
  readonly turn: number;
  readonly offset: number;
}

export function captionPositionAt(x: number, y: number): CaptionPosition | undefined {
  const caret = document.caretPositionFromPoint(x, y);
  if (caret === null) return undefined;
  const line = caret.offsetNode.parentElement?.closest<HTMLElement>('.caption') ?? undefined;
  if (line === undefined) return undefined;
  const before = spokenLengthBefore(line, caret.offsetNode);
  if (before === undefined) return undefined;
  const { turn, from } = line.dataset;
  return { turn: Number(turn), offset: Number(from) + before + caret.offset };
}

/** Skips text that only screen readers get. */
function spokenLengthBefore(line: HTMLElement, node: Node): number | undefined {
  const words = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let length = 0;
  for (let text = words.nextNode(); text !== null; text = words.nextNode()) {
    const spoken = (text.parentElement?.closest('.visually-hidden') ?? undefined) === undefined;
    if (text === node) return spoken ? length : undefined;
    if (spoken) length += text.textContent?.length ?? 0;
  }
  return undefined;
}

/** Offsets of word starts. A segmenter finds them in Chinese too, which has no spaces. */
function wordStarts(text: string, language: string): readonly number[] {
  const words = new Intl.Segmenter(language, { granularity: 'word' });
  return [...words.segment(text)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ index }) => index);
}

/** The word after or before the last heard one; continues in the neighbouring turn. */
export function adjacentWord(
  turns: readonly CaptionedTurn[],
  direction: 'next' | 'previous',
  language: string,
): CaptionPosition | undefined {
  const at = turns.findLastIndex(({ heard }) => heard > 0);
  const turn = turns[at] ?? turns[0];
  if (turn === undefined) return undefined;
  const starts = wordStarts(turn.text, language);
  const current = starts.findLastIndex((start) => start < turn.heard);
  if (direction === 'next') {
    const start = starts[current + 1];
    const cut = turn.cutFrom ?? turn.text.length;
    return start === undefined || start >= cut
      ? firstWord(turns[at + 1])
      : { turn: turn.turn, offset: start };
  }
  const start = starts[current - 1];
  return start === undefined
    ? lastHeardWord(turns[at - 1], language)
    : { turn: turn.turn, offset: start };
}

function firstWord(turn: CaptionedTurn | undefined): CaptionPosition | undefined {
  return turn === undefined ? undefined : { turn: turn.turn, offset: 0 };
}

function lastHeardWord(
  turn: CaptionedTurn | undefined,
  language: string,
): CaptionPosition | undefined {
  if (turn === undefined) return undefined;
  const start = wordStarts(turn.text.slice(0, turn.heard), language).at(-1) ?? 0;
  return { turn: turn.turn, offset: start };
}
