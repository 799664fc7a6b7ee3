import { encodeWav } from '../../../shared/audio/encode-wav.ts';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Random } from '../../../shared/ports/clock.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { StoredVoice } from '../../../shared/settings/stored-voice.ts';
import { maxImportSeconds, prepareVoice } from './prepare-voice.ts';

/** Stores reference voices as ordinary WAV files. */
export interface VoiceStore {
  /** Oldest first, including voices with a damaged description. */
  readonly list: () => Promise<Outcome<readonly StoredVoice[]>>;
  readonly save: (
    voice: Omit<StoredVoice, 'createdAt'>,
    wav: Uint8Array,
  ) => Promise<Outcome<StoredVoice>>;
  readonly rename: (id: string, name: string) => Promise<Outcome<StoredVoice>>;
  readonly read: (id: string) => Promise<Outcome<Uint8Array>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
}

interface Deps {
  readonly store: VoiceStore;
  readonly random: Random;
  /** Decodes a WAV file to one channel; rejects longer ones before decoding. */
  readonly soundFromWav: (
    file: Uint8Array,
    rate: number,
    maxSeconds: number,
  ) => Outcome<Float32Array>;
}

export class VoiceLibrary {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(): Promise<Outcome<readonly StoredVoice[]>> {
    return this.#deps.store.list();
  }

  /** Stores a sound of 16 kHz as a voice. If the name exists, it gets a number. */
  async keep(name: string, sound: Float32Array): Promise<Outcome<StoredVoice>> {
    const { store, random } = this.#deps;
    const prepared = prepareVoice(sound);
    if (!prepared.ok) return prepared;
    const known = await store.list();
    if (!known.ok) return known;
    const { samples, notes } = prepared.value;
    const voice = {
      id: `voice-${Math.floor(random() * 2 ** 40).toString(36)}`,
      name: uniqueVoiceName(name, toNames(known.value)),
      seconds: Math.round((samples.length / inputRate) * 10) / 10,
      notes,
    };
    return store.save(voice, encodeWav(samples, { rate: inputRate, channels: 1, coding: 'pcm16' }));
  }

  async importBytes(name: string, wav: Uint8Array): Promise<Outcome<StoredVoice>> {
    const sound = this.#deps.soundFromWav(wav, inputRate, maxImportSeconds);
    return sound.ok ? this.keep(name, sound.value) : sound;
  }

  async rename(id: string, name: string): Promise<Outcome<StoredVoice>> {
    const { store } = this.#deps;
    const known = await store.list();
    if (!known.ok) return known;
    const others = known.value.filter((voice) => voice.id !== id);
    const read = readVoiceName(name, toNames(others));
    return read.ok ? store.rename(id, read.value) : read;
  }

  remove(id: string): Promise<Outcome<undefined>> {
    return this.#deps.store.remove(id);
  }

  /** 16 kHz mono, for sessions. */
  async sound(id: string): Promise<Outcome<Float32Array>> {
    const wav = await this.#deps.store.read(id);
    return wav.ok ? this.#deps.soundFromWav(wav.value, inputRate, maxImportSeconds) : wav;
  }
}

function toNames(voices: readonly StoredVoice[]): readonly string[] {
  return voices.map(({ name }) => name);
}

const maxNameLength = 60;

/** Normalizes and validates a name: one line, no invisible characters, unique. */
export function readVoiceName(text: string, existingNames: readonly string[]): Outcome<string> {
  const name = text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  if (name === '') return failure('voiceNameless');
  if (Array.from(name).length > maxNameLength) {
    return failure('voiceNameLong', { most: maxNameLength });
  }
  // Joiners are allowed, because emoji and some scripts use them.
  if (/[\p{Cc}\p{Cs}\p{Co}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u.test(name)) {
    return failure('voiceNameHidden');
  }
  if (isTaken(name, existingNames)) {
    return failure('voiceNameTaken', { name });
  }
  return { ok: true, value: name };
}

/** Makes a generated name unique with a number. */
export function uniqueVoiceName(text: string, existingNames: readonly string[]): string {
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  const name =
    plain === ''
      ? 'Voice'
      : Array.from(plain)
          .slice(0, maxNameLength - 4)
          .join('');
  let [uniqueName, number] = [name, 1];
  while (isTaken(uniqueName, existingNames)) uniqueName = `${name} ${(number += 1)}`;
  return uniqueName;
}

function isTaken(name: string, existingNames: readonly string[]): boolean {
  return existingNames.some((other) => other.toLowerCase() === name.toLowerCase());
}
