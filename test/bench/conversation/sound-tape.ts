import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { soundFromWav } from '../../../electron/audio/dsp/sound-from-wav.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../fakes/seeded.ts';
import type { PlayingProcess } from '../sound/sound-processes.ts';

/** `timeOf` derives a sample's time from the fastest of the blocks that lie at most this far before or after it. */
const steadyMs = 5000;
/** A tone above 400 Hz falls below this level only at zero crossings. */
export const loud = 0.02;
const minGapMs = 2;

/**
 * The recent recording of one of the rig's listeners. Blocks arrive with varying delay, but samples are evenly spaced, so
 * the fastest block gives the times of the others.
 */
export class SoundTape {
  readonly rate: number;
  readonly #ring: Float32Array;
  #count = 0;
  #blocks: { readonly until: number; readonly at: number }[] = [];

  constructor(rate: number, seconds = 40) {
    this.rate = rate;
    this.#ring = new Float32Array(rate * seconds);
  }

  get count(): number {
    return this.#count;
  }

  push(block: Float32Array, at: number): void {
    for (const sample of block) {
      this.#ring[this.#count % this.#ring.length] = sample;
      this.#count += 1;
    }
    this.#blocks.push({ until: this.#count, at });
    const kept = this.#count - this.#ring.length;
    if (this.#blocks.length % 100 === 0)
      this.#blocks = this.#blocks.filter(({ until }) => until > kept);
  }

  /** When a sample was played or captured. */
  timeOf(sample: number): number {
    const near = (steadyMs * this.rate) / 1000;
    let earliest = Infinity;
    for (const { until, at } of this.#blocks) {
      if (Math.abs(until - sample) < near) earliest = Math.min(earliest, at - this.#ms(until));
    }
    return earliest + this.#ms(sample);
  }

  sampleAt(time: number): number {
    const newest = this.#count - 1;
    return Math.round(newest - ((this.timeOf(newest) - time) * this.rate) / 1000);
  }

  part(from: number, until: number): Float32Array {
    return Float32Array.from({ length: Math.max(0, until - from) }, (_, n) => this.#at(from + n));
  }

  firstLoud(from: number): number | undefined {
    for (let at = from; at < this.#count; at += 1) if (this.#isLoud(at)) return at;
    return undefined;
  }

  lastLoud(from: number, until = this.#count): number | undefined {
    for (let at = until - 1; at >= from; at -= 1) if (this.#isLoud(at)) return at;
    return undefined;
  }

  gapsMs(from: number): readonly number[] {
    const first = this.firstLoud(from) ?? this.#count;
    const gaps: number[] = [];
    let silent = 0;
    for (let at = first; at < this.#count; at += 1) {
      if (!this.#isLoud(at)) silent += 1;
      else {
        if (this.#ms(silent) > minGapMs) gaps.push(this.#ms(silent));
        silent = 0;
      }
    }
    return gaps;
  }

  #isLoud(at: number): boolean {
    return Math.abs(this.#at(at)) >= loud;
  }

  #at(sample: number): number {
    return this.#ring[sample % this.#ring.length] ?? 0;
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.rate;
  }
}

export interface Found {
  readonly at: number;
  /** How alike the two sounds are: 1 if they differ only in volume. */
  readonly likeness: number;
}

/** Finds a short sound in a longer one. */
export function findSound(pattern: Float32Array, within: Float32Array): Found {
  const power = powerOf(pattern);
  let best: Found = { at: 0, likeness: 0 };
  for (let at = 0; at + pattern.length <= within.length; at += 1) {
    let product = 0;
    let here = 0;
    for (let n = 0; n < pattern.length; n += 1) {
      const sample = within[at + n] ?? 0;
      product += sample * (pattern[n] ?? 0);
      here += sample * sample;
    }
    const likeness = here === 0 ? 0 : product / Math.sqrt(here * power);
    if (likeness > best.likeness) best = { at, likeness };
  }
  return best;
}

/** Averages groups of samples, for a faster search; speech needs no high frequencies. */
export function decimate(samples: Float32Array, by: number): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / by) }, (_, at) => {
    let sum = 0;
    for (let n = 0; n < by; n += 1) sum += samples[at * by + n] ?? 0;
    return sum / by;
  });
}

function powerOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum;
}

/** Below speech level. The noise never repeats, so each chunk can be found in a recording. */
const roomLevel = 0.004;

/**
 * Microphone input: room noise with occasional recorded sentences. They must be real speech: the voice detector ignores
 * other sounds, and a hand-over would then begin in the middle of a sentence.
 */
class RoomSound {
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
