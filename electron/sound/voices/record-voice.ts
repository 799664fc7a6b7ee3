import type { AppError } from '../../../shared/errors/app-error.ts';
import { failure } from '../../../shared/errors/app-error.ts';
import type { StoredVoice, VoiceRecordingEvent } from '../../../shared/voices/stored-voice.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { VoiceLibrary } from './voice-library.ts';
import { VoiceRecordingBuffer } from './voice-recording-buffer.ts';

export interface VoiceRecording {
  /** Makes a voice of what was said and keeps it. The microphone is closed in any case. */
  readonly stop: () => Promise<Outcome<StoredVoice>>;
  readonly cancel: () => Promise<void>;
}

interface Level {
  readonly rmsDb: number;
  readonly peakDb: number;
  readonly clipped: number;
}

interface Deps {
  readonly library: Pick<VoiceLibrary, 'keep'>;
  readonly openMicrophone: (
    hear: (block: Float32Array) => void,
    lost: (error: AppError) => void,
  ) => Promise<{ readonly end: () => Promise<void> }>;
  readonly openMeter: (emit: (level: Level) => void) => {
    readonly push: (block: Float32Array) => void;
  };
  readonly emit: (news: VoiceRecordingEvent) => void;
}

/** Listens to the microphone until it is stopped, or the longest take is reached. */
export async function recordVoice(name: string, deps: Deps): Promise<VoiceRecording> {
  const { library, openMicrophone, openMeter, emit } = deps;
  let listening = true;
  const recording = new VoiceRecordingBuffer(() => {
    listening = false;
    emit({ kind: 'full' });
    void close();
  });
  const meter = openMeter(({ rmsDb, peakDb, clipped }) => {
    emit({ kind: 'level', seconds: recording.seconds, rmsDb, peakDb, clipped });
  });
  const opening = openMicrophone(
    (block) => {
      if (!listening) return;
      meter.push(block);
      recording.push(block);
    },
    (error) => {
      if (listening) emit({ kind: 'problem', error });
    },
  );
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
