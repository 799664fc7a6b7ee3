import { join } from 'node:path';
import type { Lifetime } from '../../shared/lifetime.ts';
import { createVoiceFolder } from '../adapters/files/voice-folder.ts';
import { VoiceController } from '../controllers/voice-controller.ts';
import type { Clock, Random } from '../ports/clock.ts';
import { soundFromWav } from '../sound/dsp/sound-from-wav.ts';
import { createVoiceLibrary } from '../sound/voices/voice-library.ts';
import type { VoiceLibrary } from '../sound/voices/voice-library.ts';
import type { SettingsServices } from './compose-settings.ts';
import type { SoundServices } from './compose-sound.ts';

/** Reference voices; devices and volume are those of the settings. */
export interface VoiceServices extends Pick<VoiceController, 'sessionSettings' | 'missingVoices'> {
  readonly voices: Omit<VoiceLibrary, 'keep' | 'sound'> &
    Pick<VoiceController, 'record' | 'preview'>;
  /** A stored voice as sessions take it: 16 kHz mono. */
  readonly voiceSound: VoiceLibrary['sound'];
}

interface Deps extends Pick<SoundServices, 'openMicrophone' | 'openSpeaker'> {
  readonly settings: SettingsServices['settings'];
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly lifetime: Lifetime;
}

export function composeVoices(deps: Deps): VoiceServices {
  const { folder, random, lifetime } = deps;
  const store = createVoiceFolder(join(folder, 'voices'));
  const library = createVoiceLibrary({ store, random, soundFromWav });
  const { remove, record, preview, sessionSettings, missingVoices, end } = new VoiceController({
    ...deps,
    library,
  });
  lifetime.add(end, 'the voices');
  return {
    voices: { ...library, remove, record, preview },
    voiceSound: library.sound,
    sessionSettings,
    missingVoices,
  };
}
