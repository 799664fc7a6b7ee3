import type { CursorAction } from '../cursor/cursor-action.ts';
import type { AppError } from '../errors/app-error.ts';

/** System interface for keys while another program has the keyboard. */
export type GlobalKeyMethod = 'uiohook' | 'portal' | 'globalShortcut';

export type GlobalKeyState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'active'; readonly method: GlobalKeyMethod }
  /** The listener for the key ended by itself. Parley starts it again. */
  | { readonly kind: 'retrying'; readonly inMs: number }
  | { readonly kind: 'unavailable'; readonly error: AppError };

/** `toggle` is a press on a system that reports no release. After `lost`, the key's state is unknown and no release follows. */
export type TalkKeyEvent = 'press' | 'release' | 'toggle' | 'lost';

export interface GlobalKeySeen {
  readonly event: TalkKeyEvent;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A key that Parley listens for while another program has the keyboard. */
export interface GlobalKey {
  /** `talk`, `ask`, `dictate`, `look`, `region`, or `action-` with the action's id. Desktops remember a key by it. */
  readonly id: string;
  /** A chord such as `Control+KeyT`. */
  readonly chord: string;
  /** The action that the key runs. The desktop lists the key under its name. */
  readonly action?: Pick<CursorAction, 'id' | 'name'> | undefined;
  /** Other programs should not get the key. */
  readonly isWithheld?: boolean | undefined;
}

export interface GlobalKeyView {
  /** The state of the talk key. */
  readonly state: GlobalKeyState;
  /** The keys of the small window that are set, by `GlobalKey.id`. */
  readonly cursor?: Readonly<Record<string, GlobalKeyState>> | undefined;
  /** The talk key's latest event since Parley started. */
  readonly seen?: GlobalKeySeen | undefined;
}

/** Result of asking the user to press the key. */
export type GlobalKeyTestResult =
  | { readonly arrived: true; readonly ms: number }
  | { readonly arrived: false };

export const globalKeyOff: GlobalKeyView = { state: { kind: 'off' } };

/** A key with its modifiers, written as `Control+KeyT`. */
export interface KeyChord {
  readonly code: string;
  readonly modifiers: ReadonlySet<Modifier>;
}

export const modifierKeys = ['Control', 'Alt', 'Shift', 'Meta'] as const;
export type Modifier = (typeof modifierKeys)[number];

/** The part of a keyboard event that a chord needs. */
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
  return [...pressedModifiers(stroke), stroke.code].join('+');
}

/** Pressed modifiers without the key itself, because the right Control alone can be the key. */
export function pressedModifiers(stroke: KeyStroke): readonly Modifier[] {
  const isPressed: Readonly<Record<Modifier, boolean>> = {
    Control: stroke.ctrlKey,
    Alt: stroke.altKey,
    Shift: stroke.shiftKey,
    Meta: stroke.metaKey,
  };
  const own = modifierOf(stroke.code);
  return modifierKeys.filter((modifier) => isPressed[modifier] && modifier !== own);
}

/**
 * Whether two keys are the same. `bothGlobal` says whether both work in other programs: those may differ by Shift
 * alone. In the window an extra Shift is ignored, so it makes no difference.
 */
export function isSameChord(one: string, other: string, bothGlobal: boolean): boolean {
  const [first, second] = [one, other].map((text) => {
    const { code, modifiers } = parseChord(text);
    const counted = [...modifiers].filter((modifier) => bothGlobal || modifier !== 'Shift');
    return [...counted, code].join('+');
  });
  return one !== 'none' && first === second;
}

/** An extra Shift is ignored, because users press keys without looking. */
export function isChordPressed({ code, modifiers }: KeyChord, stroke: KeyStroke): boolean {
  if (stroke.code !== code) return false;
  const pressed = pressedModifiers(stroke);
  const extra = pressed.filter((modifier) => !modifiers.has(modifier) && modifier !== 'Shift');
  return extra.length === 0 && [...modifiers].every((modifier) => pressed.includes(modifier));
}

/** Whether the released key belongs to the chord, so that the chord ends. */
export function isChordReleased(chord: KeyChord, code: string): boolean {
  const modifier = modifierOf(code);
  return code === chord.code || (modifier !== undefined && chord.modifiers.has(modifier));
}

export function modifierOf(code: string): Modifier | undefined {
  const name = /^(Control|Alt|Shift|Meta)(Left|Right)$/.exec(code)?.[1];
  return modifierKeys.find((modifier) => modifier === name);
}

/** Whether Parley may withhold the chord from other programs, because it types no text. */
export function canBeTaken(chord: string): boolean {
  const { code, modifiers } = parseChord(chord);
  const isCommand = modifiers.has('Control') || modifiers.has('Alt') || modifiers.has('Meta');
  return isCommand || /^(F\d+|Media\w+|ScrollLock|PrintScreen|Insert)$/.test(code);
}
