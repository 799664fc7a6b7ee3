import type { KeyStroke } from '../../shared/keys/key-chord.ts';

export type ReplayKeyAction =
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
