import type { TalkingMode } from '../../shared/talk/talk-controls.ts';
import { isPressed, isReleased, parseChord } from '../keys/key-chord.ts';
import type { KeyChord, KeyStroke } from '../keys/key-chord.ts';

export interface KeyPress extends KeyStroke {
  readonly key: string;
  readonly repeat: boolean;
  readonly composing: boolean;
  /** Where the key goes by itself: a text being written, a menu, a button reached by keyboard. */
  readonly busy: boolean;
}

export interface KeyWishes {
  readonly talking: TalkingMode;
  /** There is a talk to press a key for. */
  readonly live: boolean;
  /** The talk key as it is set. */
  readonly talkKey: string;
}

export type KeyDeed = 'press' | 'release' | 'lost' | 'interrupt';

/**
 * What the keys of the window mean for a talk: one is the talk key, Escape interrupts. `take` says that
 * nobody else is to act on it, also where nothing is done, as with a repeated one.
 */
export class TalkKeys {
  /** The key that is down: it ends what it began, also where another one has been set meanwhile. */
  #down: KeyChord | undefined;

  get down(): boolean {
    return this.#down !== undefined;
  }

  keyDown(press: KeyPress, wishes: KeyWishes): { deed?: KeyDeed; take: boolean } {
    const { talking, live, talkKey } = wishes;
    const ours = live && !press.composing && !press.busy;
    const bare = !press.ctrlKey && !press.altKey && !press.metaKey;
    if (press.key === 'Escape' && ours && bare) {
      return press.repeat ? { take: true } : { deed: 'interrupt', take: true };
    }
    if (this.#down !== undefined) return { take: press.code === this.#down.code };
    const chord = parseChord(talkKey);
    if (!isPressed(chord, press) || talking === 'open') return { take: false };
    if (!ours) return { take: false };
    // A key that is held since before the talk, or since a menu closed, was not pressed for it.
    if (press.repeat) return { take: true };
    this.#down = chord;
    return { deed: 'press', take: true };
  }

  /** It comes up whatever else has changed meanwhile. */
  keyUp(press: Pick<KeyPress, 'code'>): { deed?: KeyDeed; take: boolean } {
    if (this.#down === undefined || !isReleased(this.#down, press.code)) return { take: false };
    this.#down = undefined;
    return { deed: 'release', take: true };
  }

  /** The window lost the keyboard: whether the key is still down, nobody can say. */
  blurred(): KeyDeed | undefined {
    if (this.#down === undefined) return undefined;
    this.#down = undefined;
    return 'lost';
  }
}
