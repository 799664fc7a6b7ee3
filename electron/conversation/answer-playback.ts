import { outputRate } from '../../shared/protocol/limits.ts';
import { createAdaptivePlayback } from '../audio/adaptive-playback.ts';
import type { AdaptivePlayback } from '../audio/adaptive-playback.ts';
import type { LearnedPace } from '../audio/learned-pace.ts';
import { createPacedPlayback } from '../audio/paced-playback.ts';
import type { Playback } from '../audio/playback.ts';
import type { Speaker } from '../audio/speaker.ts';
import type { Clock } from '../ports/clock.ts';

/** What only a real speaker has, a clock in its place does without. */
export type AnswerPlayback = Playback & Partial<Omit<AdaptivePlayback, keyof Playback>>;

export type AnswerSpeaker = Pick<Speaker, 'write' | 'flush' | 'heard' | 'queued' | 'setDip'>;

export interface PlaybackWays {
  readonly clock: Clock;
  readonly speaker: AnswerSpeaker | undefined;
  readonly stepMs: number;
  readonly pace: LearnedPace | undefined;
  readonly gap: (ms: number) => void;
}

/** Led by the speaker where there is one, else paced by the clock. */
export function openAnswerPlayback(
  { clock, speaker, stepMs, pace, gap }: PlaybackWays,
  heard: (samples: Float32Array) => void,
): AnswerPlayback {
  const ways = { rate: outputRate, heard };
  return speaker === undefined
    ? createPacedPlayback(ways)
    : createAdaptivePlayback({ ...ways, clock, speaker, stepMs, pace, gap });
}
