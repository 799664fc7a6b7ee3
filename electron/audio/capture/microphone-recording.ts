import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type {
  AudioSettings,
  VoiceRecordingEvent,
} from '../../../shared/settings/audio-settings.ts';
import type { TestDevices } from '../devices/sound-devices.ts';
import type { LevelReading } from '../dsp/loudness.ts';
import { joinSamples } from '../dsp/samples.ts';
import type { AudioSink } from './microphone.ts';

export interface MicrophoneRecordingOptions {
  readonly devices: Pick<TestDevices, 'openMicrophone'>;
  /** The user's settings. The volume is read for every block, because it can change during the recording. */
  readonly audio: () => Pick<AudioSettings, 'microphone' | 'inputVolume'>;
  readonly maxSeconds: number;
  readonly onCaptured?: ((block: Float32Array) => void) | undefined;
  readonly emit: (event: VoiceRecordingEvent) => void;
}

/** Records the chosen microphone as a server would receive it, until it is ended or reaches `maxSeconds`. */
export class MicrophoneRecording implements AudioSink {
  readonly #emit: (event: VoiceRecordingEvent) => void;
  readonly #maxSamples: number;
  readonly #microphone: ReturnType<TestDevices['openMicrophone']>;
  readonly #blocks: Float32Array[] = [];
  #length = 0;
  #level: LevelReading | undefined;
  #ending: Promise<void> | undefined;

  constructor({ devices, audio, maxSeconds, onCaptured, emit }: MicrophoneRecordingOptions) {
    this.#emit = emit;
    this.#maxSamples = maxSeconds * inputRate;
    this.#microphone = devices.openMicrophone(audio().microphone, this, {
      gain: () => audio().inputVolume,
      onCaptured,
      onLevel: (level) => {
        this.#level = level;
      },
      emit: (event) => {
        if (event.kind !== 'lost' || this.#ending !== undefined) return;
        emit({ kind: 'problem', error: event.error });
      },
    });
  }

  /** Resolves when the device is open or its failure has been emitted. */
  async opened(): Promise<this> {
    await this.#microphone;
    return this;
  }

  pushAudio(block: Float32Array): void {
    if (this.#ending !== undefined) return;
    const part = block.subarray(0, this.#maxSamples - this.#length);
    this.#blocks.push(part);
    this.#length += part.length;
    this.#emitLevel();
    if (this.#length < this.#maxSamples) return;
    this.#emit({ kind: 'full' });
    void this.end();
  }

  /** The recording so far, 16 kHz mono. */
  samples(): Float32Array {
    return joinSamples(this.#blocks);
  }

  /** Stops recording; resolves when the microphone is closed. */
  readonly end = (): Promise<void> => {
    this.#ending ??= this.#microphone.then((microphone) => microphone.end());
    return this.#ending;
  };

  #emitLevel(): void {
    const level = this.#level;
    this.#level = undefined;
    if (level === undefined) return;
    const { rmsDb, peakDb, clipped } = level;
    this.#emit({ kind: 'level', seconds: this.#length / inputRate, rmsDb, peakDb, clipped });
  }
}
