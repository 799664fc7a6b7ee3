import { readFileSync } from 'node:fs';
import { soundFromWav } from '../../../electron/audio/dsp/sound-from-wav.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../fakes/seeded.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { PlayingProcess } from '../sound/sound-processes.ts';

/** Below speech level. The noise never repeats, so each chunk can be found in a recording. */
const roomLevel = 0.004;

/**
 * Microphone input: room noise with occasional recorded sentences. The speech must be real, because the voice detector
 * ignores noise, and a hand-over would interrupt it.
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

  /** Starts a sentence at the next sample. */
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

/** Queued ahead, so that a busy machine causes no gap. */
const aheadMs = 200;
const everyMs = 20;

/** A user at the virtual microphone: room noise with occasional speech. */
export class Voice {
  readonly #microphone: PlayingProcess;
  readonly #room = new RoomSound();
  readonly #began = performance.now();
  #given = 0;
  #over = false;
  readonly #talks: Promise<void>;

  constructor(microphone: PlayingProcess) {
    this.#microphone = microphone;
    this.#talks = this.#talk();
  }

  /** Speaks; the demonstration answers after the speech. */
  speak(): void {
    this.#room.speak();
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#talks;
    this.#microphone.end();
  }

  async #talk(): Promise<void> {
    while (!this.#over) {
      const due = ((performance.now() - this.#began + aheadMs) * inputRate) / 1000;
      const block = this.#room.next(Math.max(0, Math.floor(due) - this.#given));
      this.#given += block.length;
      if (block.length > 0) void this.#microphone.play(block);
      await wait(everyMs);
    }
  }
}
