import type { Clock } from '../../../shared/ports/clock.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';

export interface VoicePreview {
  readonly stop: () => Promise<void>;
  /** Resolves when the preview was heard or stopped, or when its time limit has passed. */
  readonly ended: Promise<void>;
}

interface Deps {
  readonly speaker: {
    readonly write: (samples: Float32Array) => void;
    readonly heard: () => number;
    readonly queued: () => number;
    readonly end: () => Promise<void>;
  };
  readonly clock: Clock;
}

const checkEveryMs = 50;
/** Time limit beyond the sound's length: a missing device may return within it. */
const graceMs = 5000;

/** Plays a voice, 24 kHz mono, and closes the speaker afterwards. */
export function previewVoice(samples: Float32Array, { speaker, clock }: Deps): VoicePreview {
  const until = clock.now() + (samples.length / outputRate) * 1000 + graceMs;
  const endCount = speaker.heard() + samples.length;
  let stopWaiting: (() => void) | undefined;
  let ending: Promise<void> | undefined;
  let resolveEnded: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });
  const stop = (): Promise<void> => {
    stopWaiting?.();
    ending ??= speaker.end().then(() => resolveEnded?.());
    return ending;
  };
  const check = (): void => {
    const isOver = speaker.queued() === 0 && speaker.heard() >= endCount;
    if (isOver || clock.now() >= until) void stop();
    else stopWaiting = clock.after(checkEveryMs, check);
  };
  speaker.write(samples);
  check();
  return { stop, ended };
}
