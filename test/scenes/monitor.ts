import { joinSamples } from '../../electron/audio/dsp/samples.ts';
import { recordFrom, type SoundProcess } from '../bench/sound/sound-processes.ts';
import { instant } from '../contract/sound/player.ts';

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

export function isLoud(sample: number): boolean {
  return Math.abs(sample) > loud;
}
