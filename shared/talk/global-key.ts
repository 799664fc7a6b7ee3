import type { AppError } from '../errors/app-error.ts';

/** By what the system lets Parley hear a key while another program has the keyboard. */
export type GlobalKeyMethod = 'uiohook' | 'portal' | 'globalShortcut';

/** Where the key stands that works in every program. */
export type GlobalKeyState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'active'; readonly method: GlobalKeyMethod }
  /** What listened has ended by itself; it is tried again. */
  | { readonly kind: 'retrying'; readonly inMs: number }
  | { readonly kind: 'unavailable'; readonly error: AppError };

/**
 * `press` and `release` where both ends are known, `toggle` where only the press is. `lost`: whether it is still down
 * nobody can say any more, and no release will come.
 */
export type TalkKeyEvent = 'press' | 'release' | 'toggle' | 'lost';

export interface GlobalKeySeen {
  readonly event: TalkKeyEvent;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface GlobalKeyView {
  readonly state: GlobalKeyState;
  /** When it was last heard of since Parley began. */
  readonly seen?: GlobalKeySeen | undefined;
}

/** What came of asking for the key to be pressed. */
export type GlobalKeyTestResult =
  | { readonly arrived: true; readonly ms: number }
  | { readonly arrived: false };

export const globalKeyOff: GlobalKeyView = { state: { kind: 'off' } };

/** A key with the modifiers that go with it, as `Control+KeyT` writes it. */
export interface KeyChord {
  readonly code: string;
  readonly modifiers: ReadonlySet<Modifier>;
}

export const modifierKeys = ['Control', 'Alt', 'Shift', 'Meta'] as const;
export type Modifier = (typeof modifierKeys)[number];

/** Of a keyboard event, what a chord is about. */
export interface KeyStroke {
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
}

export function parseChord(text: string): KeyChord {
  const parts = text.split('+');
  const code = parts.at(-1) ?? '';
  const named = modifierKeys.filter((modifier) => parts.slice(0, -1).includes(modifier));
  return { code, modifiers: new Set(named) };
}

export function formatChord(stroke: KeyStroke): string {
  return [...heldModifiers(stroke), stroke.code].join('+');
}

/** The modifiers beside the key itself, which may be one: the right Control alone is a key, too. */
export function heldModifiers(stroke: KeyStroke): readonly Modifier[] {
  const held: Readonly<Record<Modifier, boolean>> = {
    Control: stroke.ctrlKey,
    Alt: stroke.altKey,
    Shift: stroke.shiftKey,
    Meta: stroke.metaKey,
  };
  const own = modifierOf(stroke.code);
  return modifierKeys.filter((modifier) => held[modifier] && modifier !== own);
}

/** Shift alone makes no other key of one that is pressed without looking. */
export function isChordPressed({ code, modifiers }: KeyChord, stroke: KeyStroke): boolean {
  if (stroke.code !== code) return false;
  const held = heldModifiers(stroke);
  const extra = held.filter((modifier) => !modifiers.has(modifier) && modifier !== 'Shift');
  return extra.length === 0 && [...modifiers].every((modifier) => held.includes(modifier));
}

/** Whether the key that comes up is part of the chord: either of two ends it. */
export function isChordReleased(chord: KeyChord, code: string): boolean {
  const modifier = modifierOf(code);
  return code === chord.code || (modifier !== undefined && chord.modifiers.has(modifier));
}

export function modifierOf(code: string): Modifier | undefined {
  const name = /^(Control|Alt|Shift|Meta)(Left|Right)$/.exec(code)?.[1];
  return modifierKeys.find((modifier) => modifier === name);
}
