import { failure } from '../../../shared/errors/app-error.ts';
import type { Failure } from '../../../shared/errors/app-error.ts';
import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import { encodeWav } from '../../../shared/wav/encode-wav.ts';
import { readWavHeader } from '../../../shared/wav/read-wav-header.ts';
import type { StoredVoice } from '../../../shared/voices/stored-voice.ts';
import type { Random } from '../../ports/clock.ts';
import type { Files } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { VoiceStore } from '../../ports/voice-store.ts';
import { prepareVoice } from './prepare-voice.ts';
import { maxImportBytes, maxImportSeconds } from './voice-limits.ts';
import { freeVoiceName, readVoiceName } from './voice-name.ts';

export interface VoiceLibrary {
  readonly list: () => Promise<Outcome<readonly StoredVoice[]>>;
  /** Of sound at 16 kHz; a name that is taken gets a number. */
  readonly keep: (name: string, sound: Float32Array) => Promise<Outcome<StoredVoice>>;
  /** A WAV file by its path; one that is far too long is not read. */
  readonly importFile: (path: string) => Promise<Outcome<StoredVoice>>;
  /** A WAV file that is already here. */
  readonly importBytes: (name: string, wav: Uint8Array) => Promise<Outcome<StoredVoice>>;
  readonly rename: (id: string, name: string) => Promise<Outcome<StoredVoice>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
  /** 16 kHz mono, as sessions take it. */
  readonly sound: (id: string) => Promise<Outcome<Float32Array>>;
}

interface Deps {
  readonly store: VoiceStore;
  readonly files: Pick<Files, 'read' | 'readStart'>;
  readonly random: Random;
  /** The sound of a WAV file as one channel; refuses what lasts longer before it decodes. */
  readonly soundFromWav: (
    file: Uint8Array,
    rate: number,
    maxSeconds: number,
  ) => Outcome<Float32Array>;
}

/** Where the samples of all but strange files begin. */
const headBytes = 65_536;

/** The reference voices of this machine. */
export function createVoiceLibrary(deps: Deps): VoiceLibrary {
  const { store, files, random, soundFromWav } = deps;

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
    importFile: async (path) => {
      const start = await files.readStart(path, headBytes);
      if (!start.ok) return start;
      const refused = tooLong(start.value.bytes, start.value.size);
      if (refused !== undefined) return refused;
      const file = await files.read(path, maxImportBytes);
      return file.ok ? importBytes(nameIn(path), file.value) : file;
    },
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

/** What the head says already: an hour of sound need not be read to be refused. */
function tooLong(start: Uint8Array, size: number): Failure | undefined {
  const head = readWavHeader(start, size);
  if (!head.ok) return undefined;
  const { format, dataLength } = head.value;
  const seconds = dataLength / (format.bytesPerSample * format.channels * format.rate);
  return seconds > maxImportSeconds
    ? failure('soundLong', { seconds: Math.ceil(seconds), most: maxImportSeconds })
    : undefined;
}

function namesOf(voices: readonly StoredVoice[]): readonly string[] {
  return voices.map(({ name }) => name);
}

function nameIn(path: string): string {
  return (/[^/\\]*$/.exec(path)?.[0] ?? '').replace(/\.wave?$/i, '');
}
