import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { energyOf } from '../../../electron/audio/dsp/loudness.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../fakes/seeded.ts';
import { readSound, type Clip, type Recordings } from '../recordings/read-recordings.ts';
import { applyPath, activeRms, overdrive, type Room } from './rooms.ts';

const hw = (what: string, ...voices: readonly string[]): readonly string[] =>
  voices.map((voice) => `hw-${voice}-${what}`);

/** `DIR/backchannels/NAME.wav`: voices of Hedgewars (hw) and KTuberling (kt), and syllables of gcin-voice (gc). */
const backChannels = {
  english: [
    ...hw('Hmm', 'British', 'Classic', 'Default_ru', 'Default_uk', 'Mobster', 'Pirate', 'Robot'),
    ...hw('Hmm', 'Russian', 'Surfer'),
    ...hw('Uh-oh', 'British', 'Classic', 'Default_ru', 'Mobster', 'Surfer'),
    ...['ca', 'da', 'lt', 'ru', 'uk'].map((language) => `kt-${language}-huh`),
  ],
  chinese: ['ㄣ', 'ㄏㄥ', 'ㄜ', 'ㄛ', 'ㄚ', 'ㄡ', 'ㄞ', 'ㄏㄠ3', 'ㄉㄨㄟ4', 'ㄕ4', 'ㄇ'].flatMap(
    (syllable) => [`gc-${syllable}-3`, `gc-${syllable}-5`],
  ),
  coughs: hw('PoisonCough', 'Default', 'Default_es', 'Default_pl', 'Default_ru', 'HillBilly'),
  laughs: [
    ...hw('Laugh', 'British', 'Default', 'Default_es', 'Default_pl', 'Default_ru', 'Default_uk'),
    ...hw('Laugh', 'HillBilly', 'Mobster', 'Pirate', 'Russian', 'Russian_pl', 'Singer', 'Surfer'),
    ...['ca', 'da', 'lt', 'nn', 'ru', 'uk'].map((language) => `kt-${language}-laugh`),
  ],
} as const;

/** A sound over an answer; `kind` tells speech that should interrupt from sounds that should not. */
export interface Interjection {
  readonly kind: 'person' | 'noise' | 'backChannel' | 'nothing';
  readonly what: string;
  readonly name: string;
  /** Level of the sound, relative to the echo. */
  readonly levelDb: number;
  /** In samples from the start of the scene. */
  readonly from: number;
  readonly to: number;
  /** Seconds from the start of its answer. */
  readonly into: number;
  readonly answer: number;
}

/** A talk with two answers, each with a sound over it. */
export interface BargeScene {
  readonly room: Room;
  readonly echoDb: number;
  readonly played: Float32Array;
  readonly echo: Float32Array;
  /** Room noise and all sounds except the echo. */
  readonly around: Float32Array;
  readonly answers: readonly (readonly [from: number, to: number])[];
  readonly interjections: readonly Interjection[];
}

type Sounds = Readonly<Record<'person' | 'noise' | 'backChannel', readonly Sound[]>>;

interface Sound {
  readonly name: string;
  readonly what: string;
  readonly sound: Float32Array;
}

export interface BargeCases {
  readonly sounds: Sounds;
  /** Voices by speaker, as far as file names show. */
  readonly speakers: readonly (readonly [name: string, voices: readonly Float32Array[]])[];
}

const minWordSamples = 0.4 * inputRate;
const maxSoundSamples = 3 * inputRate;
/** Power, relative to a voice's mean power, from which a step counts as loud. */
const loudShare = 0.1;
/** Minimum level of speech: in dBFS, and above the noise of the room. */
const quietestDb = -46;
const aboveRoomDb = 12;
const levels = [-10, -5, 0, 5, 10];
const loudestEchoDb = -20;
const quietestEchoDb = -40;

export function bargeCases(folder: string, { clips, noises }: Recordings): BargeCases {
  const bySpeaker = new Map<string, Float32Array[]>();
  const person: Sound[] = [];
  for (const clip of clips) {
    const sound = spokenPart(clip);
    const speaker = /^(?:lv|[^-]+-[^-]+)/u.exec(clip.name)?.[0] ?? clip.name;
    bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), sound]);
    if (sound.length >= minWordSamples) person.push({ name: clip.name, what: speaker, sound });
  }
  const seconds = (voices: readonly Float32Array[]): number =>
    voices.reduce((sum, { length }) => sum + length / inputRate, 0);
  const noise = (['animals', 'things', 'music'] as const).flatMap((what) =>
    noises[what].map((sound, at) => ({ name: `${what} ${at}`, what, sound: trimStart(sound) })),
  );
  const backChannel = Object.entries(backChannels).flatMap(([what, names]) =>
    names.flatMap((name) => {
      const file = join(folder, 'backchannels', `${name}.wav`);
      return existsSync(file) ? [{ name, what, sound: trimStart(readSound(file)) }] : [];
    }),
  );
  const speakers = [...bySpeaker].filter(([, voices]) => seconds(voices) >= 8);
  return { sounds: { person, noise, backChannel }, speakers };
}

export function bargeScene(cases: BargeCases, rooms: readonly Room[], seed: number): BargeScene {
  const random = seeded(seed);
  for (let warm = 0; warm < 8; warm += 1) random();
  const among = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('The list to choose from is empty.');
    return item;
  };
  const between = (low: number, high: number): number => low + (high - low) * random();
  const room = among(rooms);
  const [speaker, voices] = among(cases.speakers);
  const said = [between(6, 8), between(6, 15)].map((seconds) => {
    const answer = new Float32Array(Math.round(seconds * inputRate));
    for (let at = 0; at < answer.length;) {
      const voice = among(voices);
      answer.set(voice.subarray(0, answer.length - at), at);
      at += voice.length + Math.round(between(0.1, 0.6) * inputRate);
    }
    return answer;
  });
  const begins = [inputRate / 2, 2 * inputRate + (said[0]?.length ?? 0)];
  const length = inputRate + Math.max(...said.map((one, at) => (begins[at] ?? 0) + one.length));
  const played = new Float32Array(length);
  said.forEach((answer, at) => played.set(answer, begins[at]));
  const loud = room.playedRms / activeRms(played);
  for (let n = 0; n < length; n += 1) played[n] = (played[n] ?? 0) * loud;
  const echoDb = between(quietestEchoDb, loudestEchoDb);
  const heard = applyPath(room.path, overdrive(played, room));
  const gain = 10 ** (echoDb / 20) / activeRms(heard);
  const around = Float32Array.from({ length }, (_, n) => room.noise[n % room.noise.length] ?? 0);
  const roomDb = 20 * Math.log10(activeRms(room.noise));
  const interjections = said.map((answer, at): Interjection => {
    const share = random();
    const into = among([0.3, 1, between(2, answer.length / inputRate - 3.2)]);
    const from = (begins[at] ?? 0) + Math.round(into * inputRate);
    const wantedDb = among(levels);
    const shared = { from, into, answer: at };
    if (share > 0.9)
      return { kind: 'nothing', what: 'nothing', name: speaker, to: from, levelDb: 0, ...shared };
    const kind =
      share < 0.45
        ? 'person'
        : share < 0.7 || cases.sounds.backChannel.length === 0
          ? 'noise'
          : 'backChannel';
    const others = cases.sounds[kind].filter(({ what }) => what !== speaker);
    const { name, what, sound } = among(others);
    const minDb = kind === 'noise' ? -Infinity : Math.max(quietestDb, roomDb + aboveRoomDb);
    const levelDb = Math.max(wantedDb, minDb - echoDb);
    const scale = 10 ** ((echoDb + levelDb) / 20) / activeRms(sound);
    sound.forEach((sample, n) => (around[from + n] = (around[from + n] ?? 0) + scale * sample));
    return {
      kind,
      what: kind === 'person' ? kind : what,
      name,
      to: from + sound.length,
      levelDb,
      ...shared,
    };
  });
  const answers = said.map(
    ({ length: long }, at) => [begins[at] ?? 0, (begins[at] ?? 0) + long] as const,
  );
  return {
    room,
    echoDb,
    played,
    echo: heard.map((one) => one * gain),
    around,
    answers,
    interjections,
  };
}

/** Trims to the loud part, because some recordings hum before the word. */
function spokenPart({ sound }: Clip): Float32Array {
  const step = inputRate / 100;
  const loud = activeRms(sound) ** 2 * step * loudShare;
  const steps = Array.from({ length: Math.floor(sound.length / step) }, (_, at) => at * step);
  const isLoud = (at: number): boolean => energyOf(sound, at, at + step) > loud;
  const from = steps.find(isLoud) ?? 0;
  const part = sound.subarray(from, (steps.findLast(isLoud) ?? 0) + step);
  return part.subarray(0, maxSoundSamples);
}

/** Trims the quiet beginning. */
function trimStart(sound: Float32Array): Float32Array {
  const loud = activeRms(sound) / 10;
  const from = Math.max(
    0,
    sound.findIndex((sample) => Math.abs(sample) > loud),
  );
  return sound.subarray(from, from + maxSoundSamples);
}
