import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import { encodeWav } from '../../../shared/wav/encode-wav.ts';
import type { StoredVoice } from '../../../shared/voices/stored-voice.ts';
import type { Random } from '../../ports/clock.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { VoiceStore } from '../../ports/voice-store.ts';
import { prepareVoice } from './prepare-voice.ts';
import { maxImportSeconds } from './voice-limits.ts';
import { freeVoiceName, readVoiceName } from './voice-name.ts';

/** The reference voices of the person. */
export interface VoiceLibrary {
  readonly list: () => Promise<Outcome<readonly StoredVoice[]>>;
  /** Of sound at 16 kHz; a name that is taken gets a number. */
  readonly keep: (name: string, sound: Float32Array) => Promise<Outcome<StoredVoice>>;
  /** Of a WAV file. */
  readonly importBytes: (name: string, wav: Uint8Array) => Promise<Outcome<StoredVoice>>;
  readonly rename: (id: string, name: string) => Promise<Outcome<StoredVoice>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
  /** 16 kHz mono, as sessions take it. */
  readonly sound: (id: string) => Promise<Outcome<Float32Array>>;
}

interface Deps {
  readonly store: VoiceStore;
  readonly random: Random;
  /** The sound of a WAV file as one channel; refuses what lasts longer before it decodes. */
  readonly soundFromWav: (
    file: Uint8Array,
    rate: number,
    maxSeconds: number,
  ) => Outcome<Float32Array>;
}

/** The reference voices of this machine. */
export function createVoiceLibrary(deps: Deps): VoiceLibrary {
  const { store, random, soundFromWav } = deps;

  const keep: VoiceLibrary['keep'] = async (name, sound) => {
    const fitted = prepareVoice(sound);
    if (!fitted.ok) return fitted;
    const known = await store.list();
    if (!known.ok) return known;
    const { samples, notes } = fitted.value;
    const voice = {
      id: `voice-${Math.floor(random() * 2 ** 40).toString(36)}`,
      name: freeVoiceName(name, namesOf(known.value)),
      seconds: Math.round((samples.length / inputRate) * 10) / 10,
      notes,
    };
    return store.save(voice, encodeWav(samples, { rate: inputRate, channels: 1, coding: 'pcm16' }));
  };

  const importBytes: VoiceLibrary['importBytes'] = async (name, wav) => {
    const sound = soundFromWav(wav, inputRate, maxImportSeconds);
    return sound.ok ? keep(name, sound.value) : sound;
  };

  return {
    list: () => store.list(),
    keep,
    importBytes,
    rename: async (id, name) => {
      const known = await store.list();
      if (!known.ok) return known;
      const others = known.value.filter((voice) => voice.id !== id);
      const read = readVoiceName(name, namesOf(others));
      return read.ok ? store.rename(id, read.value) : read;
    },
    remove: (id) => store.remove(id),
    sound: async (id) => {
      const wav = await store.read(id);
      return wav.ok ? soundFromWav(wav.value, inputRate, maxImportSeconds) : wav;
    },
  };
}

function namesOf(voices: readonly StoredVoice[]): readonly string[] {
  return voices.map(({ name }) => name);
}
