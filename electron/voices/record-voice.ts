import type { KeptVoice, RecordingNews } from '../../shared/voices/voice.ts';
import type { Told } from '../../shared/why.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { VoiceLibrary } from './voice-library.ts';
import { VoiceTake } from './voice-take.ts';

export interface VoiceRecording {
  /** Makes a voice of what was said and keeps it. The microphone is closed in any case. */
  readonly stop: () => Promise<Outcome<KeptVoice>>;
  readonly cancel: () => Promise<void>;
}

interface Level {
  readonly rmsDb: number;
  readonly peakDb: number;
  readonly clipped: number;
}

interface Needs {
  readonly library: Pick<VoiceLibrary, 'keep'>;
  readonly openMicrophone: (
    hear: (block: Float32Array) => void,
    problem: (told: Told) => void,
  ) => Promise<{ readonly end: () => Promise<void> }>;
  readonly openMeter: (tell: (level: Level) => void) => {
    readonly push: (block: Float32Array) => void;
  };
  readonly tell: (news: RecordingNews) => void;
}

/** Listens to the microphone until it is stopped, or the longest take is reached. */
export async function recordVoice(name: string, needs: Needs): Promise<VoiceRecording> {
  const { library, openMicrophone, openMeter, tell } = needs;
  let listening = true;
  const take = new VoiceTake(() => {
    listening = false;
    tell({ kind: 'full' });
    void close();
  });
  const meter = openMeter(({ rmsDb, peakDb, clipped }) => {
    tell({ kind: 'level', seconds: take.seconds, rmsDb, peakDb, clipped });
  });
  const opening = openMicrophone(
    (block) => {
      if (!listening) return;
      meter.push(block);
      take.push(block);
    },
    ({ sentence, why }) => {
      if (listening) tell({ kind: 'problem', problem: sentence, why });
    },
  );
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= opening.then((microphone) => microphone.end());
    return closing;
  };
  await opening;
  let stopped: Promise<Outcome<KeptVoice>> | undefined;
  return {
    stop: () => {
      listening = false;
      // A second press of the button is no second voice.
      stopped ??= close().then(() => library.keep(name, take.samples()));
      return stopped;
    },
    cancel: () => {
      listening = false;
      stopped ??= Promise.resolve({
        ok: false,
        problem: 'The recording was given up.',
        why: 'notRecording',
      });
      return close();
    },
  };
}
