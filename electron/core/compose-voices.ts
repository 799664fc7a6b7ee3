import { join } from 'node:path';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { AppLanguage } from '../../shared/presets/preset.ts';
import type { SessionSettings } from '../../shared/protocol/client-event.ts';
import type { VoiceRecordingEvent } from '../../shared/voices/stored-voice.ts';
import { inputRate, outputRate } from '../../shared/protocol/protocol-limits.ts';
import { createVoiceFolder } from '../adapters/files/voice-folder.ts';
import { LevelMeter } from '../sound/dsp/level-meter.ts';
import { resample } from '../sound/dsp/resample.ts';
import { soundFromWav } from '../sound/dsp/sound-from-wav.ts';
import type { SettingsServices } from './compose-settings.ts';
import type { SoundServices } from './compose-sound.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Files } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import { sessionSettingsOf } from '../settings/session-settings.ts';
import { previewVoice } from '../sound/voices/preview-voice.ts';
import type { VoicePreview } from '../sound/voices/preview-voice.ts';
import { recordVoice } from '../sound/voices/record-voice.ts';
import type { VoiceRecording } from '../sound/voices/record-voice.ts';
import { createVoiceLibrary } from '../sound/voices/voice-library.ts';
import type { VoiceLibrary } from '../sound/voices/voice-library.ts';

/** Reference voices; devices and volume are those of the settings. */
export interface VoiceServices {
  readonly voices: Omit<VoiceLibrary, 'keep' | 'sound'> & {
    readonly record: (
      name: string,
      emit: (news: VoiceRecordingEvent) => void,
    ) => Promise<VoiceRecording>;
    readonly preview: (id: string) => Promise<Outcome<VoicePreview>>;
  };
  /** A kept voice as sessions take it: 16 kHz mono. */
  readonly voiceSound: (id: string) => Promise<Outcome<Float32Array>>;
  /** What a session is configured with, as the settings have it now: instructions, voices, generation. */
  readonly sessionSettings: (language: AppLanguage) => Promise<Outcome<SessionSettings>>;
}

interface Deps extends Pick<SoundServices, 'openMicrophone' | 'openSpeaker'> {
  readonly settings: SettingsServices['settings'];
  readonly folder: string;
  readonly clock: Clock;
  readonly files: Files;
  readonly random: Random;
  readonly lifetime: Lifetime;
}

export function composeVoices(deps: Deps): VoiceServices {
  const { settings, folder, clock, files, random, lifetime, openMicrophone, openSpeaker } = deps;
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
      record: (name, emit) =>
        recordVoice(name, {
          library,
          emit,
          openMeter: (told) => new LevelMeter(inputRate, told),
          openMicrophone: (hear, lost) =>
            openMicrophone(settings.get().audio.microphone, hear, (news) => {
              if (news.kind === 'lost') lost(news.error);
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
