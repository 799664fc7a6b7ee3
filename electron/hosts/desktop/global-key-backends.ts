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

/** Backends for keys pressed while another program has the keyboard, the best first. */
export function globalKeyBackends(): readonly GlobalKeyBackend[] {
  const { backends, canObserveKeys, clock } = composeGlobalKeys(startKeyHelper, systemMessages);
  return [...backends, createGlobalShortcutBackend(clock, canObserveKeys)];
}

/** A second press only opens the window afresh, so the first repeat of a held key does no harm. */
const opensAgain: ReadonlySet<string> = new Set(['ask']);

/**
 * Hears presses through Electron's global shortcuts: no releases, and no other program gets the keys. Under
 * Wayland it registers but receives no presses, which `offered` must check.
 */
export function createGlobalShortcutBackend(
  clock: Clock,
  offered: () => boolean,
): GlobalKeyBackend {
  return {
    name: 'globalShortcut',
    isSupported: offered,
    listen: async (keys, listener) => {
      const stops: (() => void)[] = [];
      const refused = new Map<string, AppError>();
      for (const { id, chord } of keys) {
        const press = (): void => listener(id, 'toggle');
        const taken = takeChord(chord, new HeldKeyFilter(clock, press, !opensAgain.has(id)));
        if (taken.ok) stops.push(taken.value);
        else refused.set(id, taken.error);
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

function takeChord(chord: string, presses: HeldKeyFilter): Outcome<() => void> {
  const accelerator = shortcutAccelerator(chord);
  if (accelerator === undefined) return failure('globalKeyUnknown');
  if (!canBeTaken(chord)) return failure('globalKeyAlone');
  return register(accelerator, presses);
}

function register(accelerator: string, presses: HeldKeyFilter): Outcome<() => void> {
  try {
    const onPress = () => presses.take();
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

/** Milliseconds between the repeats of a held key: 10 a second or faster. */
const repeatsWithin = 110;
/** Longest delay before the first repeat, in milliseconds. */
const firstRepeatWithin = 1_100;

/**
 * Separates key presses from auto-repeat without release events. A press that might be the first repeat waits
 * for the next: if that comes in time, both are repeats. Without `waits` it counts at once.
 */
export class HeldKeyFilter {
  readonly #clock: Clock;
  readonly #press: () => void;
  readonly #waits: boolean;
  #lastAt = -Infinity;
  #isRepeating = false;
  #cancelWaiting: (() => void) | undefined;

  constructor(clock: Clock, press: () => void, waits = true) {
    this.#clock = clock;
    this.#press = press;
    this.#waits = waits;
  }

  take(): void {
    const gap = this.#clock.now() - this.#lastAt;
    this.#lastAt = this.#clock.now();
    this.stop();
    if (gap <= repeatsWithin) {
      this.#isRepeating = true;
    } else if (!this.#waits || this.#isRepeating || gap > firstRepeatWithin) {
      this.#isRepeating = false;
      this.#press();
    } else {
      this.#cancelWaiting = this.#clock.after(repeatsWithin, this.#press);
    }
  }

  /** Drops a press that still waits. */
  stop(): void {
    this.#cancelWaiting?.();
    this.#cancelWaiting = undefined;
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

const sameName = new Set(
  (
    'Space Tab Backspace Delete Insert Home End PageUp PageDown ' +
    'Escape PrintScreen MediaStop MediaPlayPause'
  ).split(' '),
);

/** A chord in Electron's syntax (`Control+T`). Undefined for a modifier alone or a key that Electron cannot name. */
export function shortcutAccelerator(chord: string): string | undefined {
  const { code, modifiers } = parseChord(chord);
  const key = keyNames[code] ?? (sameName.has(code) ? code : numberedKey(code));
  if (key === undefined) return undefined;
  return [...[...modifiers].map((modifier) => modifierNames[modifier]), key].join('+');
}

function numberedKey(code: string): string | undefined {
  if (/^F([1-9]|1\d|2[0-4])$/.test(code)) return code;
  const [, kind, name = ''] = /^(Key|Digit|Numpad)([A-Z]|\d)$/.exec(code) ?? [];
  if (kind === 'Numpad') return `num${name}`;
  return kind === undefined ? undefined : name;
}
