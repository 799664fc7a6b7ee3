import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { SoundDriver, SpeakerStream } from '../../ports/sound.ts';
import { EchoReference } from './echo-reference.ts';
import type { NewestStretch } from './echo-reference.ts';

/** What has been played can be looked up by the time it was heard. */
export interface FarEndReference {
  /** The name of what plays now, or did last. */
  readonly speaker: string | undefined;
  /** What began to be heard last, while it is still found out when. */
  readonly newest?: NewestStretch | undefined;
  readonly fill: (reference: Float32Array, from: number, stepMs?: number) => void;
}

interface Source {
  readonly stream: SpeakerStream;
  /** Made when somebody first asks what was played. */
  reference: EchoReference | undefined;
}

/** A stream that died was heard until a moment ago; more than that is past. */
const maxSources = 3;
const partSamples = 4096;

/**
 * Remembers what the streams of a driver really played, whoever keeps them: the newest ones, so that
 * a change of device leaves no hole.
 */
export class FarEndSignal implements FarEndReference {
  #sources: readonly Source[] = [];
  readonly #part = new Float32Array(partSamples);
  #other = new Float32Array();

  /** The same driver; what its speakers play is known here. */
  watch(driver: SoundDriver): SoundDriver {
    return {
      ...driver,
      openSpeaker: async (device, rate) => {
        const opened = await driver.openSpeaker(device, rate);
        if (opened.ok) this.#add(opened.value);
        return opened;
      },
    };
  }

  get speaker(): string | undefined {
    return this.#sources[0]?.stream.device.name;
  }

  get newest(): NewestStretch | undefined {
    return this.#sources[0]?.reference?.newest;
  }

  readonly fill = (reference: Float32Array, from: number, stepMs?: number): void => {
    reference.fill(0);
    if (this.#other.length !== reference.length) this.#other = new Float32Array(reference.length);
    for (const source of this.#sources) {
      this.#gather(source).fill(this.#other, from, stepMs);
      for (let n = 0; n < reference.length; n += 1) {
        reference[n] = (reference[n] ?? 0) + (this.#other[n] ?? 0);
      }
    }
  };

  #add(stream: SpeakerStream): void {
    this.#sources = [{ stream, reference: undefined }, ...this.#sources].slice(0, maxSources);
  }

  #gather(source: Source): EchoReference {
    const { stream } = source;
    source.reference ??= new EchoReference({ playedRate: stream.rate, capturedRate: inputRate });
    const { reference } = source;
    const part = this.#part;
    for (;;) {
      const { count, position, heardAt } = stream.takePlayed(part);
      reference.played(part.subarray(0, count), position, heardAt);
      if (count < part.length) return reference;
    }
  }
}
