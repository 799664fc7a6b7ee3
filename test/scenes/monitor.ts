import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import { recordFrom, type SoundProcess } from '../bench/sound/sound-processes.ts';
import { instant } from '../contract/sound/player.ts';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';

/** In Hz: enough for speech, and fast to search. */
export const monitorRate = 8000;
const loud = 0.02;

/** Records the virtual speaker, with the arrival time of each block. */
export class Monitor {
  readonly #blocks: { readonly at: number; readonly samples: Float32Array }[] = [];
  readonly #environment: Readonly<Record<string, string>>;
  #recorder: SoundProcess | undefined;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  /** Starts recording, or restarts it after the sound server was gone. */
  listen(): void {
    this.#recorder?.end();
    this.#recorder = recordFrom(
      'speaker.monitor',
      monitorRate,
      this.#environment,
      (samples, at) => {
        this.#blocks.push({ at, samples });
      },
    );
  }

  end(): void {
    this.#recorder?.end();
  }

  since(since: number): Float32Array {
    return joinSamples(this.#blocks.flatMap(({ at, samples }) => (at >= since ? [samples] : [])));
  }

  /** When the last block with sound arrived; `otherwise` if there was none. */
  lastSound(otherwise: number): number {
    return this.#blocks.findLast(({ samples }) => samples.some(isLoud))?.at ?? otherwise;
  }

  get sounds(): boolean {
    return this.lastSound(0) > instant() - 150;
  }
}

interface Match {
  /** Position in the recording, in samples. */
  readonly at: number;
  /** From 0 to 1, independent of volume. */
  readonly likeness: number;
}

/** Longer edges would more often contain a stretched place, if the server is slow. */
const edgeMs = 120;
/** Tolerance for the time of the end, because sound of a slow server is stretched. */
const earlierMs = 100;
const laterMs = 800;

/**
 * The lower of the likenesses at the start and at the end of the sound. It searches the end only near its expected place,
 * because ends of words resemble each other.
 */
export function edgeLikeness(recording: Float32Array, sound: Float32Array, rate: number): number {
  const wanted = resample(sound, rate, monitorRate);
  const [from, to] = [wanted.findIndex(isLoud), wanted.findLastIndex(isLoud) + 1];
  const length = (edgeMs * monitorRate) / 1000;
  const first = bestMatch(recording, wanted.subarray(from, from + length));
  const due = first.at + (to - length - from);
  const early = Math.max(0, due - (earlierMs * monitorRate) / 1000);
  const late = due + length + (laterMs * monitorRate) / 1000;
  const last = bestMatch(recording.subarray(early, late), wanted.subarray(to - length, to));
  return Math.min(first.likeness, last.likeness);
}

function isLoud(sample: number): boolean {
  return Math.abs(sample) > loud;
}

function bestMatch(recording: Float32Array, wanted: Float32Array): Match {
  const power = energy(wanted, 0, wanted.length);
  let best: Match = { at: 0, likeness: 0 };
  if (power === 0) return best;
  let here = energy(recording, 0, wanted.length);
  for (let at = 0; at + wanted.length <= recording.length; at += 1) {
    if (here > power * 0.01) {
      const likeness = product(recording, at, wanted) / Math.sqrt(here * power);
      if (likeness > best.likeness) best = { at, likeness };
    }
    here += (recording[at + wanted.length] ?? 0) ** 2 - (recording[at] ?? 0) ** 2;
  }
  return best;
}

function energy(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += (samples[at] ?? 0) ** 2;
  return sum;
}

function product(recording: Float32Array, at: number, wanted: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < wanted.length; n += 1) sum += (recording[at + n] ?? 0) * (wanted[n] ?? 0);
  return sum;
}
