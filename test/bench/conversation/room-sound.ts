import { readFileSync } from 'node:fs';
import { soundFromWav } from '../../../electron/audio/dsp/sound-from-wav.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../fakes/seeded.ts';

/** Below what anybody takes for speech, and never twice the same: each chunk can be found again. */
const roomLevel = 0.004;

/**
 * What a microphone hears: the noise of a room, and now and then a recorded sentence in it. Noise, however loud, is no person
 * to the detector: the next session would take over in the middle of it.
 */
export class RoomSound {
  readonly #random = seeded(3);
  readonly #sentence: Float32Array;
  #said = Infinity;

  constructor(sentence = 'again') {
    const sound = soundFromWav(readFileSync(`resources/speech/${sentence}.wav`), inputRate, 60);
    if (!sound.ok) throw new Error(sound.error.code);
    this.#sentence = sound.value;
  }

  /** From the next sample on. */
  speak(): void {
    this.#said = 0;
  }

  next(samples: number): Float32Array {
    const block = new Float32Array(samples);
    for (let n = 0; n < samples; n += 1, this.#said += 1)
      block[n] = (this.#random() * 2 - 1) * roomLevel + (this.#sentence[this.#said] ?? 0);
    return block;
  }
}
