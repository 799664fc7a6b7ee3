import { outputRate } from '../../shared/protocol/protocol-limits.ts';
import { createJitterBuffer } from '../sound/playback/jitter-buffer.ts';
import type { JitterBuffer } from '../sound/playback/jitter-buffer.ts';
import type { ServerPace } from '../sound/playback/server-pace.ts';
import { createClockedPlayback } from '../sound/playback/clocked-playback.ts';
import type { Playback } from '../sound/playback/playback.ts';
import type { Speaker } from '../sound/devices/speaker.ts';
import type { Clock } from '../ports/clock.ts';

/** What only a real speaker has, a clock in its place does without. */
export type AnswerBuffer = Playback & Partial<Omit<JitterBuffer, keyof Playback>>;

export type SpeakerSink = Pick<Speaker, 'write' | 'flush' | 'heard' | 'queued' | 'setDuckGain'>;

export interface PlaybackOpenOptions {
  readonly clock: Clock;
  readonly speaker: SpeakerSink | undefined;
  readonly stepMs: number;
  readonly pace: ServerPace | undefined;
  readonly gap: (ms: number) => void;
}

/** Led by the speaker where there is one, else paced by the clock. */
export function openPlayback(
  { clock, speaker, stepMs, pace, gap }: PlaybackOpenOptions,
  heard: (samples: Float32Array) => void,
): AnswerBuffer {
  const ways = { rate: outputRate, heard };
  return speaker === undefined
    ? createClockedPlayback(ways)
    : createJitterBuffer({ ...ways, clock, speaker, stepMs, pace, gap });
}
