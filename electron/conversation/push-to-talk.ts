import type { PushToTalkMode } from '../../shared/talk/talk-controls.ts';

/** The one talk key. */
export interface PushToTalkKey {
  /** When it went down; nothing while it is up. */
  readonly downSince: number | undefined;
  /** What is said is let through. */
  readonly talking: boolean;
  /** It goes on without the key, until the next press. */
  readonly latched: boolean;
}

/** A key that comes up: somebody let go of it, or nobody knows (the window lost the keyboard). */
export type KeyRelease = 'released' | 'lost';

export const keyUp: PushToTalkKey = { downSince: undefined, talking: false, latched: false };

/** A shorter press stays on; to say a word takes longer than this. */
const tapMs = 300;

/** The key goes down. While it is down already it is only the system that repeats it. */
export function pressKey(key: PushToTalkKey, mode: PushToTalkMode, at: number): PushToTalkKey {
  if (key.downSince !== undefined) return key;
  const down: PushToTalkKey = { ...key, downSince: at };
  switch (mode) {
    case 'open':
      return down;
    case 'tap':
      return { ...down, talking: !key.talking, latched: !key.talking };
    case 'hold':
    case 'holdOrTap':
      return { ...down, talking: true };
  }
}

/** The key comes up. A loss never leaves the microphone open on what was only held. */
export function releaseKey(
  key: PushToTalkKey,
  mode: PushToTalkMode,
  at: number,
  kind: KeyRelease,
): PushToTalkKey {
  if (key.downSince === undefined) return key;
  const up: PushToTalkKey = { ...key, downSince: undefined };
  switch (mode) {
    case 'open':
    case 'tap':
      return up;
    case 'hold':
      return keyUp;
    case 'holdOrTap': {
      // Switched off from elsewhere meanwhile, it is only let go of.
      const taps = kind === 'released' && key.talking && !key.latched && at - key.downSince < tapMs;
      return taps ? { ...up, latched: true } : keyUp;
    }
  }
}

/** From elsewhere, by something that has no up and down: on until it comes again, or the key does. */
export function toggleKey(key: PushToTalkKey, mode: PushToTalkMode): PushToTalkKey {
  if (key.talking || mode === 'open') return changeKeyMode(key);
  return { ...key, talking: true, latched: true };
}

/** Another mode begins with nothing let through; a key that is held has to be pressed again. */
export function changeKeyMode(key: PushToTalkKey): PushToTalkKey {
  return { ...keyUp, downSince: key.downSince };
}
