import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { StoredVoice, VoiceRecordingEvent } from '../../../shared/settings/stored-voice.ts';
import type { AudioSink } from '../../audio/capture/capture-pipeline.ts';
import type { Microphone, OpenMicrophone } from '../../audio/capture/microphone.ts';
import { maxRecordingSeconds } from './prepare-voice.ts';
import type { VoiceLibrary } from './voice-library.ts';

/** A reference voice being recorded. */
export interface VoiceRecording {
  /** Makes a voice of what was said and keeps it. The microphone is closed in any case. */
  readonly stop: () => Promise<Outcome<StoredVoice>>;
  readonly cancel: () => Promise<void>;
}

interface Deps {
  readonly library: Pick<VoiceLibrary, 'keep'>;
  readonly openMicrophone: (
    ...args: Parameters<OpenMicrophone>
  ) => Promise<Pick<Microphone, 'end'>>;
  readonly audio: () => Pick<AudioSettings, 'microphone' | 'inputVolume'>;
  readonly emit: (event: VoiceRecordingEvent) => void;
}

/** Listens to the microphone until it is stopped, or the longest take is reached. */
export async function recordVoice(name: string, deps: Deps): Promise<VoiceRecording> {
  const { library, openMicrophone, audio, emit } = deps;
  let listening = true;
  const recording = new VoiceRecordingBuffer(() => {
    listening = false;
    emit({ kind: 'full' });
    void close();
  });
  const sink: AudioSink = {
    pushAudio: (block) => {
      if (listening) recording.push(block);
    },
  };
  const opening = openMicrophone(audio().microphone, sink, {
    gain: () => audio().inputVolume,
    onLevel: ({ rmsDb, peakDb, clipped }) => {
      if (listening) emit({ kind: 'level', seconds: recording.seconds, rmsDb, peakDb, clipped });
    },
    emit: (event) => {
      if (listening && event.kind === 'lost') emit({ kind: 'problem', error: event.error });
    },
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= opening.then((microphone) => microphone.end());
    return closing;
  };
  await opening;
  let stopped: Promise<Outcome<StoredVoice>> | undefined;
  return {
    stop: () => {
      listening = false;
      // A second press of the button is no second voice.
      stopped ??= close().then(() => library.keep(name, recording.samples()));
      return stopped;
    },
    cancel: () => {
      listening = false;
      stopped ??= Promise.resolve(failure('notRecording'));
      return close();
    },
  };
}

/** Sound of the microphone as it comes, up to the longest take. */
export class VoiceRecordingBuffer {
  readonly #full: () => void;
  readonly #samples = new Float32Array(maxRecordingSeconds * inputRate);
  #length = 0;

  /** @param full called once, when nothing more is taken */
  constructor(full: () => void) {
    this.#full = full;
  }

  get seconds(): number {
    return this.#length / inputRate;
  }

  /** 16 kHz mono. */
  push(block: Float32Array): void {
    const room = this.#samples.length - this.#length;
    if (room === 0) return;
    const taken = block.subarray(0, room);
    this.#samples.set(taken, this.#length);
    this.#length += taken.length;
    if (taken.length === room) this.#full();
  }

  samples(): Float32Array {
    return this.#samples.subarray(0, this.#length);
  }
}
