import { maxClipSeconds } from '../../shared/chat/attachment-limits.ts';
import { inputRate } from '../../shared/protocol/protocol-limits.ts';
import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import type { VoiceRecordingEvent } from '../../shared/voices/stored-voice.ts';
import type { AudioSink } from '../sound/capture/audio-sink.ts';
import type { LevelReading } from '../sound/dsp/level-meter.ts';
import type { SoundOpeners } from '../sound/playback/speaker.ts';

const maxSamples = maxClipSeconds * inputRate;

/** A recording for a message, from the chosen microphone, up to the longest that can be sent. */
export class ClipRecorder implements AudioSink {
  readonly #blocks: Float32Array[] = [];
  readonly #emit: (event: VoiceRecordingEvent) => void;
  readonly #microphone: Promise<{ readonly end: () => Promise<void> }>;
  #length = 0;
  /** What is to be told together with the length that it belongs to. */
  #level: LevelReading | undefined;
  #over = false;

  constructor(
    audio: () => AudioSettings,
    { openMicrophone }: Pick<SoundOpeners, 'openMicrophone'>,
    emit: (event: VoiceRecordingEvent) => void,
  ) {
    this.#emit = emit;
    this.#microphone = openMicrophone(audio().microphone, this, {
      gain: () => audio().inputVolume,
      onLevel: (level) => {
        this.#level = level;
      },
      emit: (event) => {
        if (event.kind !== 'lost' || this.#over) return;
        emit({ kind: 'problem', error: event.error });
      },
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

  pushAudio(block: Float32Array): void {
    if (this.#over) return;
    const taken = block.subarray(0, maxSamples - this.#length);
    this.#blocks.push(taken);
    this.#length += taken.length;
    this.#emitLevel();
    if (this.#length < maxSamples) return;
    this.#emit({ kind: 'full' });
    void this.end();
  }

  #emitLevel(): void {
    const level = this.#level;
    this.#level = undefined;
    if (level === undefined) return;
    this.#emit({ kind: 'level', seconds: this.#length / inputRate, ...level });
  }
}
