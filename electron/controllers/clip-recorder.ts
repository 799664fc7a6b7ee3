import { maxClipSeconds } from '../../shared/chat/attachment-limits.ts';
import { inputRate } from '../../shared/protocol/protocol-limits.ts';
import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import type { VoiceRecordingEvent } from '../../shared/voices/stored-voice.ts';
import { LevelMeter } from '../sound/dsp/level-meter.ts';
import { applyGain } from '../sound/dsp/apply-gain.ts';
import type { SoundOpeners } from './talk-sound-devices.ts';

const maxSamples = maxClipSeconds * inputRate;

/** A recording for a message, from the chosen microphone, up to the longest that can be sent. */
export class ClipRecorder {
  readonly #blocks: Float32Array[] = [];
  readonly #emit: (news: VoiceRecordingEvent) => void;
  readonly #meter: LevelMeter;
  readonly #volume: number;
  readonly #microphone: Promise<{ readonly end: () => Promise<void> }>;
  #length = 0;
  #over = false;

  constructor(
    { microphone, inputVolume }: AudioSettings,
    { openMicrophone }: Pick<SoundOpeners, 'openMicrophone'>,
    emit: (news: VoiceRecordingEvent) => void,
  ) {
    this.#emit = emit;
    this.#volume = inputVolume;
    this.#meter = new LevelMeter(inputRate, (level) => {
      emit({ kind: 'level', seconds: this.#length / inputRate, ...level });
    });
    this.#microphone = openMicrophone(microphone, this.#hear, (news) => {
      if (news.kind !== 'lost' || this.#over) return;
      emit({ kind: 'problem', error: news.error });
    });
  }

  async opened(): Promise<this> {
    await this.#microphone;
    return this;
  }

  readonly end = async (): Promise<void> => {
    this.#over = true;
    await (await this.#microphone).end();
  };

  /** What was heard, 16 kHz mono; the microphone is closed then. */
  async samples(): Promise<Float32Array> {
    await this.end();
    const whole = new Float32Array(this.#length);
    let at = 0;
    for (const block of this.#blocks) {
      whole.set(block, at);
      at += block.length;
    }
    return whole;
  }

  readonly #hear = (block: Float32Array): void => {
    if (this.#over) return;
    applyGain(block, this.#volume);
    const taken = block.subarray(0, maxSamples - this.#length);
    this.#blocks.push(taken);
    this.#length += taken.length;
    this.#meter.push(taken);
    if (this.#length < maxSamples) return;
    this.#emit({ kind: 'full' });
    void this.end();
  };
}
