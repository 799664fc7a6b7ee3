import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { StoredVoice } from '../../../shared/settings/stored-voice.ts';
import { MicrophoneTake, type MicrophoneTakeOptions } from '../../audio/capture/microphone-take.ts';
import { maxRecordingSeconds } from './prepare-voice.ts';
import type { VoiceLibrary } from './voice-library.ts';

/** A reference voice being recorded. */
export interface VoiceRecording {
  /** Makes a voice of what was said and keeps it. The microphone is closed in any case. */
  readonly stop: () => Promise<Outcome<StoredVoice>>;
  readonly cancel: () => Promise<void>;
}

interface Deps extends Pick<MicrophoneTakeOptions, 'devices' | 'audio' | 'emit'> {
  readonly library: Pick<VoiceLibrary, 'keep'>;
}

/** Listens to the microphone until it is stopped, or the longest take is reached. */
export async function recordVoice(
  name: string,
  { library, devices, audio, emit }: Deps,
): Promise<VoiceRecording> {
  const take = new MicrophoneTake({ devices, audio, emit, maxSeconds: maxRecordingSeconds });
  await take.opened();
  let stopped: Promise<Outcome<StoredVoice>> | undefined;
  return {
    stop: () => {
      // A second press of the button is no second voice.
      stopped ??= take.end().then(() => library.keep(name, take.samples()));
      return stopped;
    },
    cancel: () => {
      stopped ??= Promise.resolve(failure('notRecording'));
      return take.end();
    },
  };
}
