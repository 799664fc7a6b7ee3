import { globalShortcut } from 'electron';
import {
  type AppError,
  appError,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { canBeTaken, type Modifier, parseChord } from '../../../shared/talk/global-key.ts';
import { composeGlobalKeys } from '../../app/global-keys.ts';
import type { GlobalKeyBackend } from '../../talk/keys/global-key-backend.ts';
import { systemMessages } from './desktop-messages.ts';
import { startKeyHelper } from './utility-child.ts';

/** Backends that receive keys while another program has the focus, the best first. */
export function globalKeyBackends(): readonly GlobalKeyBackend[] {
  const { backends, canObserveKeys, clock } = composeGlobalKeys(startKeyHelper, systemMessages);
  return [...backends, createGlobalShortcutBackend(clock, canObserveKeys)];
}

/** Keys of which the first repeat does no harm: a second press only opens the window again. */
const repeatableKeys: ReadonlySet<string> = new Set(['ask']);

/**
 * Receives key presses, but no releases, through Electron's global shortcuts, and no other program gets the keys. Under
 * Wayland it registers keys and receives no presses, so `isSupported` must be false there.
 */
export function createGlobalShortcutBackend(
  clock: Clock,
  isSupported: () => boolean,
): GlobalKeyBackend {
  return {
    name: 'globalShortcut',
    isSupported,
    listen: async (keys, listener) => {
      const stops: (() => void)[] = [];
      const refused = new Map<string, AppError>();
      for (const { id, chord } of keys) {
        const press = (): void => listener(id, 'toggle');
        const registered = registerChord(
          chord,
          new HeldKeyFilter(clock, press, !repeatableKeys.has(id)),
        );
        if (registered.ok) stops.push(registered.value);
        else refused.set(id, registered.error);
      }
      const [error = appError('globalKeyUnset')] = refused.values();
      if (stops.length === 0) return { ok: false, error };
      const stop = async (): Promise<void> => {
        for (const each of stops) each();
      };
      return { ok: true, value: { refused, stop } };
    },
  };
}

function registerChord(chord: string, presses: HeldKeyFilter): Outcome<() => void> {
  const accelerator = shortcutAccelerator(chord);
  if (accelerator === undefined) return failure('globalKeyUnknown');
  if (!canBeTaken(chord)) return failure('globalKeyAlone');
  return register(accelerator, presses);
}

function register(accelerator: string, presses: HeldKeyFilter): Outcome<() => void> {
  try {
    const onPress = () => presses.handlePress();
    if (!globalShortcut.register(accelerator, onPress)) return failure('globalKeyTaken');
  } catch (cause) {
    // Electron throws TypeError for a chord it cannot parse.
    if (!(cause instanceof TypeError)) throw cause;
    return failure('globalKeyUnknown', {}, { detail: cause.message });
  }
  return {
    ok: true,
    value: () => {
      presses.stop();
      globalShortcut.unregister(accelerator);
    },
  };
}

/** The longest time between the repeats of a held key, which come at least 10 times a second. */
const maxRepeatGapMs = 110;
/** The longest time from a press to its first repeat. */
const maxFirstRepeatMs = 1_100;

/** A timer that is later than this shows that the process could not run, and presses may wait to be delivered. */
const maxTimerLateMs = 30;

/**
 * Separates key presses from auto-repeat without release events. A press that might be the first repeat waits for the
 * next one: if that comes in time, both are repeats. Without `waitsForRepeat` it counts at once. Electron tells no times
 * of presses, so only time in which the process could receive one counts as a pause.
 */
export class HeldKeyFilter {
  readonly #clock: Clock;
  readonly #press: () => void;
  readonly #waitsForRepeat: boolean;
  #lastAt = -Infinity;
  #isRepeating = false;
  #isPending = false;
  /** Set until a pause has followed the last press. */
  #cancelPause: (() => void) | undefined;

  constructor(clock: Clock, press: () => void, waitsForRepeat = true) {
    this.#clock = clock;
    this.#press = press;
    this.#waitsForRepeat = waitsForRepeat;
  }

  handlePress(): void {
    const gap = this.#clock.now() - this.#lastAt;
    const isRepeat = this.#cancelPause !== undefined;
    this.#lastAt = this.#clock.now();
    this.stop();
    this.#awaitPause();
    if (isRepeat) {
      this.#isRepeating = true;
    } else if (!this.#waitsForRepeat || this.#isRepeating || gap > maxFirstRepeatMs) {
      this.#isRepeating = false;
      this.#press();
    } else this.#isPending = true;
  }

  /** Drops a press that waits for a repeat. */
  stop(): void {
    this.#cancelPause?.();
    this.#cancelPause = undefined;
    this.#isPending = false;
  }

  #awaitPause(): void {
    const dueAt = this.#clock.now() + maxRepeatGapMs;
    this.#cancelPause = this.#clock.after(maxRepeatGapMs, () => {
      const now = this.#clock.now();
      const wasStuck = now - dueAt > maxTimerLateMs && now - this.#lastAt < maxFirstRepeatMs;
      if (wasStuck) return this.#awaitPause();
      const isPending = this.#isPending;
      this.stop();
      if (isPending) this.#press();
    });
  }
}

const modifierNames: Readonly<Record<Modifier, string>> = {
  Control: 'Control',
  Alt: 'Alt',
  Shift: 'Shift',
  Meta: 'Super',
};

/** Electron's key names that differ from those of keyboard events. */
const keyNames: Readonly<Record<string, string>> = {
  Enter: 'Return',
  CapsLock: 'Capslock',
  NumLock: 'Numlock',
  ScrollLock: 'Scrolllock',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Minus: '-',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'",
  Backquote: '`',
  Comma: ',',
  Period: '.',
  Slash: '/',
  NumpadAdd: 'numadd',
  NumpadSubtract: 'numsub',
  NumpadMultiply: 'nummult',
  NumpadDivide: 'numdiv',
  NumpadDecimal: 'numdec',
  MediaTrackNext: 'MediaNextTrack',
  MediaTrackPrevious: 'MediaPreviousTrack',
};

const keysWithSameName = new Set(
  (
    'Space Tab Backspace Delete Insert Home End PageUp PageDown ' +
    'Escape PrintScreen MediaStop MediaPlayPause'
  ).split(' '),
);

/** A chord in Electron's syntax (`Control+T`). Undefined for a modifier alone or a key that Electron cannot name. */
export function shortcutAccelerator(chord: string): string | undefined {
  const { code, modifiers } = parseChord(chord);
  const key = keyNames[code] ?? (keysWithSameName.has(code) ? code : numberedKey(code));
  if (key === undefined) return undefined;
  return [...[...modifiers].map((modifier) => modifierNames[modifier]), key].join('+');
}

function numberedKey(code: string): string | undefined {
  if (/^F([1-9]|1\d|2[0-4])$/.test(code)) return code;
  const [, kind, name = ''] = /^(Key|Digit|Numpad)([A-Z]|\d)$/.exec(code) ?? [];
  if (kind === 'Numpad') return `num${name}`;
  return kind === undefined ? undefined : name;
}
