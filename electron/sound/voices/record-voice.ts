import { failure } from '../../../shared/errors/app-error.ts';
import type { StoredVoice, VoiceRecordingEvent } from '../../../shared/voices/stored-voice.ts';
import type { AudioSettings } from '../../../shared/settings/settings-groups.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { AudioSink } from '../capture/audio-sink.ts';
import type { Microphone, OpenMicrophone } from '../capture/microphone.ts';
import type { VoiceLibrary } from './voice-library.ts';
import { VoiceRecordingBuffer } from './voice-recording-buffer.ts';

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
