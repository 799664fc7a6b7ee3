import type { PushToTalkMode } from '../../shared/talk/talk-controls.ts';
import { isWindowKey } from '../keys/window-keys.ts';
import type { KeySettings } from '../../shared/settings/key-settings.ts';
import { isChordPressed, isChordReleased, parseChord } from '../../shared/keys/key-chord.ts';
import type { KeyChord, KeyStroke } from '../../shared/keys/key-chord.ts';

export interface TalkKeyPress extends KeyStroke {
  readonly key: string;
  readonly repeat: boolean;
  readonly composing: boolean;
  /** Where the key goes by itself: a text being written, a menu, a button reached by keyboard. */
  readonly busy: boolean;
}

export interface TalkKeyContext {
  readonly talking: PushToTalkMode;
  /** There is a talk to press a key for. */
  readonly live: boolean;
  /** The talk key as it is set. */
  readonly talkKey: string;
  readonly keys: KeySettings;
}

/** What one press does, each but `cough` once and for all. */
const pressed = ['interrupt', 'mute', 'cough', 'pause', 'end', 'keepRecent'] as const;

export type TalkKeyAction = 'press' | 'release' | 'lost' | (typeof pressed)[number] | 'coughOver';

/**
 * What the keys of the window mean for a talk: one is the talk key, others interrupt, mute, end it. `take` says that
 * nobody else is to act on it, also where nothing is done, as with a repeated one.
 */
export class TalkKeys {
  /** The key that is down: it ends what it began, also where another one has been set meanwhile. */
  #down: KeyChord | undefined;
  /** The code of the key that is held to cough. */
  #cough: string | undefined;

  keyDown(
    press: TalkKeyPress,
    context: TalkKeyContext,
  ): { action?: TalkKeyAction; handled: boolean } {
    const { talking, live, talkKey, keys } = context;
    const ours = live && !press.composing && !press.busy;
    const action = ours ? pressed.find((name) => isWindowKey(keys, name, press)) : undefined;
    if (action !== undefined) {
      if (press.repeat) return { handled: true };
      if (action === 'cough') this.#cough = press.code;
      return { action, handled: true };
    }
    if (this.#down !== undefined) return { handled: press.code === this.#down.code };
    const chord = parseChord(talkKey);
    if (!isChordPressed(chord, press) || talking === 'open') return { handled: false };
    if (!ours) return { handled: false };
    // A key that is held since before the talk, or since a menu closed, was not pressed for it.
    if (press.repeat) return { handled: true };
    this.#down = chord;
    return { action: 'press', handled: true };
  }

  /** It comes up whatever else has changed meanwhile. */
  keyUp(press: Pick<TalkKeyPress, 'code'>): { action?: TalkKeyAction; handled: boolean } {
    if (this.#cough === press.code) {
      this.#cough = undefined;
      return { action: 'coughOver', handled: true };
    }
    if (this.#down === undefined || !isChordReleased(this.#down, press.code))
      return { handled: false };
    this.#down = undefined;
    return { action: 'release', handled: true };
  }

  /** The window lost the keyboard: whether the key is still down, nobody can say. */
  blurred(): TalkKeyAction | undefined {
    if (this.#cough !== undefined) {
      this.#cough = undefined;
      return 'coughOver';
    }
    if (this.#down === undefined) return undefined;
    this.#down = undefined;
    return 'lost';
  }
}
