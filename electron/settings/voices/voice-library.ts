import { encodeWav } from '../../../shared/audio/wav.ts';
import type { StoredVoice, VoiceIssue } from '../../../shared/settings/audio-settings.ts';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Random } from '../../../shared/ports/clock.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { toOneLine } from '../../../shared/text.ts';
import {
  blockLevels,
  inaudibleDb,
  isClipped,
  loudLevel,
  quietDb,
  speechLevel,
  speechThreshold,
  voiceBlockMs,
} from '../../audio/dsp/loudness.ts';

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
  /** Decodes a WAV file to one channel. Rejects a file longer than `maxSeconds` before decoding. */
  readonly soundFromWav: (
    file: Uint8Array,
    rate: number,
    maxSeconds: number,
  ) => Outcome<Float32Array>;
}

/** The reference voices that the user recorded or imported. */
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
  const name = toOneLine(text.normalize('NFC'));
  if (name === '') return failure('voiceNameless');
  if (Array.from(name).length > maxNameLength)
    return failure('voiceNameLong', { most: maxNameLength });
  // Joiners are allowed, because emoji and some scripts use them.
  if (/[\p{Cc}\p{Cs}\p{Co}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u.test(name))
    return failure('voiceNameHidden');
  if (isTaken(name, existingNames)) return failure('voiceNameTaken', { name });
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

export interface PreparedVoice {
  /** 16 kHz mono. */
  readonly samples: Float32Array;
  readonly notes: readonly VoiceIssue[];
}

const marginMs = 150;
/** A long recording is cut at a pause in the last part before the limit, so that no word is cut. */
const pauseWithinMs = 4000;
const fadeMs = 10;

/** Turns a recording into a reference voice: trims, shortens and judges it. */
export function prepareVoice(sound: Float32Array): Outcome<PreparedVoice> {
  const levels = blockLevels(sound, inputRate);
  const loudDb = loudLevel(levels);
  if (loudDb < inaudibleDb) return failure('voiceUnheard');
  const threshold = speechThreshold(loudDb);
  const spoken = trimSilence(sound, levels, threshold);
  if (spoken.length < minReferenceSeconds * inputRate) {
    const seconds = Math.round((spoken.length / inputRate) * 10) / 10;
    return failure('voiceShort', { seconds, least: minReferenceSeconds });
  }
  const isTooLong = spoken.length > maxReferenceSeconds * inputRate;
  const samples = isTooLong ? cutAtPause(spoken) : spoken.slice();
  const notes: readonly VoiceIssue[] = [
    ...(speechLevel(levels, threshold) < quietDb ? (['quiet'] as const) : []),
    ...(isClipped(samples) ? (['clipped'] as const) : []),
    ...(isTooLong ? (['cut'] as const) : []),
  ];
  return { ok: true, value: { samples, notes } };
}

function trimSilence(sound: Float32Array, levels: Float32Array, threshold: number): Float32Array {
  const blockSamples = (inputRate * voiceBlockMs) / 1000;
  const margin = (inputRate * marginMs) / 1000;
  // Speech is at least three blocks long; a click is shorter.
  const spoken = levels.map((level, n) =>
    Math.min(level, levels[n + 1] ?? level, levels[n + 2] ?? level),
  );
  const first = spoken.findIndex((level) => level >= threshold);
  const last = spoken.findLastIndex((level, n) => n + 2 < levels.length && level >= threshold) + 2;
  const end = last === levels.length - 1 ? sound.length : (last + 1) * blockSamples;
  return sound.subarray(Math.max(0, first * blockSamples - margin), end + margin);
}

/** Cuts at the quietest place in the last seconds before the limit, with a fade. */
function cutAtPause(spoken: Float32Array): Float32Array {
  const blockSamples = (inputRate * voiceBlockMs) / 1000;
  const maxSamples = maxReferenceSeconds * inputRate;
  const from = maxSamples - (pauseWithinMs * inputRate) / 1000;
  const levels = blockLevels(spoken.subarray(from, maxSamples), inputRate);
  const samples = spoken.slice(0, from + (quietestBlock(levels) + 1) * blockSamples);
  const fade = (inputRate * fadeMs) / 1000;
  for (let n = 0; n < fade; n += 1) {
    const at = samples.length - 1 - n;
    samples[at] = ((samples[at] ?? 0) * n) / fade;
  }
  return samples;
}

/** Returns the middle of the quietest 200 ms; if several are equally quiet, of the last. */
function quietestBlock(levels: Float32Array): number {
  const width = 200 / voiceBlockMs;
  let [quietestIndex, minSum] = [levels.length - 1, Infinity];
  for (let from = 0; from + width <= levels.length; from += 1) {
    let sum = 0;
    for (let at = from; at < from + width; at += 1) sum += levels[at] ?? 0;
    if (sum <= minSum) [quietestIndex, minSum] = [from + width / 2, sum];
  }
  return quietestIndex;
}

/**
 * Parley's own limits, because the servers document none: a shorter voice has too few sounds, and a longer one takes
 * too much of the model's context.
 */
const minReferenceSeconds = 3;
const maxReferenceSeconds = 15;

/** A recording may begin and end with silence, which is trimmed. */
export const maxRecordingSeconds = 20;

/** An import may be longer; its beginning is used. */
const maxImportSeconds = 120;
