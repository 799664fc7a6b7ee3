import { inputRate, outputRate } from '../../../shared/protocol/limits.ts';
import { createChirp, findChirp } from '../../audio/loopback.ts';
import type { SoundNews } from '../../audio/keep-stream.ts';
import type { Parley } from '../../compose.ts';
import type { Clock } from '../../ports.ts';

export type LoopbackResult =
  /** From the moment the chirp was handed to the speaker until it was there to be sent. */
  | { readonly heard: true; readonly latencyMs: number; readonly levelDb: number }
  | { readonly heard: false; readonly reason: string };

/** A sound system that has just been woken swallows or delays what comes first. */
const warmUpMs = 1200;
/** Wireless speakers are late by half a second; the chirp itself takes as long. */
const listenMs = 2500;

const nothingCameBack =
  'Nothing came back: the speaker may be off or quiet, or the microphone muted or too far away.';

/** Plays a chirp on the system's speaker and listens for it on the system's microphone. */
export async function testLoopback(
  parley: Pick<Parley, 'openSpeaker' | 'openMicrophone' | 'clock'>,
): Promise<LoopbackResult> {
  const { clock } = parley;
  const lost: string[] = [];
  const tell = (news: SoundNews): void => {
    if (news.kind === 'lost') lost.push(news.problem);
  };
  const take = new Take(clock);
  const microphone = await parley.openMicrophone('default', take.hear, tell);
  const speaker = await parley.openSpeaker('default', tell);
  try {
    const [problem] = lost;
    if (problem !== undefined) return { heard: false, reason: problem };
    await passing(clock, warmUpMs);
    take.begin();
    const played = clock.now();
    speaker.write(createChirp(outputRate));
    await passing(clock, listenMs);
    const found = findChirp(take.recording(), inputRate);
    if (found === undefined) return { heard: false, reason: lost[0] ?? nothingCameBack };
    const latencyMs = Math.round(take.arrivalOf(found.sample) - played);
    return { heard: true, latencyMs, levelDb: Math.round(found.levelDb * 10) / 10 };
  } finally {
    await Promise.all([speaker.end(), microphone.end()]);
  }
}

/** What the microphone heard, and when each sample of it was there. */
class Take {
  readonly #clock: Clock;
  readonly #blocks: Float32Array[] = [];
  #length = 0;
  #begun = false;
  /** When the recording began, by the block that was delayed least. */
  #startedAt = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(): void {
    this.#begun = true;
  }

  readonly hear = (block: Float32Array): void => {
    if (!this.#begun) return;
    this.#blocks.push(block);
    this.#length += block.length;
    const startedAt = this.#clock.now() - (this.#length * 1000) / inputRate;
    this.#startedAt = Math.min(this.#startedAt, startedAt);
  };

  recording(): Float32Array {
    const whole = new Float32Array(this.#length);
    let at = 0;
    for (const block of this.#blocks) {
      whole.set(block, at);
      at += block.length;
    }
    return whole;
  }

  arrivalOf(sample: number): number {
    return this.#startedAt + (sample * 1000) / inputRate;
  }
}

function passing(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
}
