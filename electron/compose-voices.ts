import { join } from 'node:path';
import type { Lifetime } from '../shared/lifetime.ts';
import type { Language } from '../shared/presets/preset.ts';
import type { SessionSettings } from '../shared/protocol/client-ask.ts';
import type { RecordingNews } from '../shared/voices/voice.ts';
import { inputRate, outputRate } from '../shared/protocol/limits.ts';
import { createVoiceFolder } from './adapters/voice-folder.ts';
import { LevelMeter } from './audio/level-meter.ts';
import { resample } from './audio/resample.ts';
import { soundFromWav } from './audio/sound-from-wav.ts';
import type { SettingsDoors } from './compose-settings.ts';
import type { SoundDoors } from './compose-sound.ts';
import type { Clock, Random } from './ports/clock.ts';
import type { Files } from './ports/files.ts';
import type { Outcome } from './ports/outcome.ts';
import { sessionSettingsOf } from './settings/session-settings.ts';
import { previewVoice } from './voices/preview-voice.ts';
import type { VoicePreview } from './voices/preview-voice.ts';
import { recordVoice } from './voices/record-voice.ts';
import type { VoiceRecording } from './voices/record-voice.ts';
import { createVoiceLibrary } from './voices/voice-library.ts';
import type { VoiceLibrary } from './voices/voice-library.ts';

/** Reference voices; devices and volume are those of the settings. */
export interface VoiceDoors {
  readonly voices: Omit<VoiceLibrary, 'keep' | 'sound'> & {
    readonly record: (name: string, tell: (news: RecordingNews) => void) => Promise<VoiceRecording>;
    readonly preview: (id: string) => Promise<Outcome<VoicePreview>>;
  };
  /** A kept voice as sessions take it: 16 kHz mono. */
  readonly voiceSound: (id: string) => Promise<Outcome<Float32Array>>;
  /** What a session is configured with, as the settings have it now: instructions, voices, generation. */
  readonly sessionSettings: (language: Language) => Promise<Outcome<SessionSettings>>;
}

interface Needs extends Pick<SoundDoors, 'openMicrophone' | 'openSpeaker'> {
  readonly settings: SettingsDoors['settings'];
  readonly folder: string;
  readonly clock: Clock;
  readonly files: Files;
  readonly random: Random;
  readonly lifetime: Lifetime;
}

export function composeVoices(needs: Needs): VoiceDoors {
  const { settings, folder, clock, files, random, lifetime, openMicrophone, openSpeaker } = needs;
  const store = createVoiceFolder(join(folder, 'voices'));
  const library = createVoiceLibrary({ store, files, random, soundFromWav });

  /** Nothing where none is chosen. */
  const soundOf = async (id: string): Promise<Outcome<Float32Array | undefined>> =>
    id === 'none' ? { ok: true, value: undefined } : library.sound(id);

  let preview: VoicePreview | undefined;
  lifetime.add(() => preview?.stop());

  return {
    voiceSound: (id) => library.sound(id),
    sessionSettings: async (language) => {
      const now = settings.get();
      const model = await soundOf(now.voices.model);
      if (!model.ok) return model;
      const speech = await soundOf(now.voices.speech);
      if (!speech.ok) return speech;
      const voice = { model: model.value, speech: speech.value };
      return { ok: true, value: sessionSettingsOf(now, language, voice) };
    },
    voices: {
      ...library,
      remove: async (id) => {
        const removed = await library.remove(id);
        const { model, speech } = settings.get().voices;
        if (removed.ok && model === id) settings.change({ voices: { model: 'none' } });
        if (removed.ok && speech === id) settings.change({ voices: { speech: 'none' } });
        return removed;
      },
      record: (name, tell) =>
        recordVoice(name, {
          library,
          tell,
          openMeter: (told) => new LevelMeter(inputRate, told),
          openMicrophone: (hear, problem) =>
            openMicrophone(settings.get().audio.microphone, hear, (news) => {
              if (news.kind === 'lost') problem({ sentence: news.problem, why: news.why });
            }),
        }),
      preview: async (id) => {
        const sound = await library.sound(id);
        if (!sound.ok) return sound;
        await preview?.stop();
        const { speaker: device, playbackVolume } = settings.get().audio;
        const speaker = await openSpeaker(device, () => undefined);
        speaker.setVolume(playbackVolume);
        const samples = resample(sound.value, inputRate, outputRate);
        preview = previewVoice(samples, { speaker, clock });
        return { ok: true, value: preview };
      },
    },
  };
}
