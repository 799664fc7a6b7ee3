// Runs in its own process: plays through a loopback, and prints what comes back.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Audio } from '../../../electron/app/audio.ts';
import { createChirp, findChirp } from '../../../electron/audio/devices/loopback-test.ts';
import { judgeRoom, RoomTest } from '../../../electron/audio/devices/room-test.ts';
import {
  judgeOwnSound,
  type OwnSound,
  OwnSoundRecording,
} from '../../../electron/audio/devices/sound-controller.ts';
import { SoundDevices } from '../../../electron/audio/devices/sound-devices.ts';
import { blockLevels } from '../../../electron/audio/dsp/loudness.ts';
import { AdaptiveCanceller } from '../../../electron/audio/echo/adaptive-canceller.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import type { OwnSoundVerdict, OwnSoundVersion } from '../../../shared/audio/sound-tests.ts';
import { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { quantile } from '../../../shared/statistics.ts';
import { powerDb } from '../../fakes/echo-room.ts';
import { FakeLog } from '../../fakes/fake-log.ts';
import { unwrap } from '../../fakes/unwrap.ts';

async function readSamples(file: string): Promise<Float32Array> {
  return new Float32Array(new Uint8Array(await readFile(file)).buffer);
}

/** For each chirp, how many milliseconds later it was captured than it is in the reference. */
export interface Alignment {
  readonly captured: number;
  readonly offsets: readonly (number | undefined)[];
  readonly levels: readonly (number | undefined)[];
}

const chirps = 12;
const second = inputRate;

async function chirpAndHear(): Promise<void> {
  const lifetime = new Lifetime('chirp and hear');
  const captured = new Float32Array((chirps + 4) * second);
  const played = new Float32Array(captured.length);
  let at = 0;
  const { openSpeaker, openMicrophone } = new SoundDevices({
    clock: systemClock,
    lifetime,
    log: new FakeLog(),
    driver: createPortAudioDriver(),
    openEchoCanceller: () => ({
      finding: 'unknown',
      nearEndPresence: undefined,
      leadMs: 0,
      process: (frame, farEnd) => {
        if (at + frame.length > captured.length) return frame;
        captured.set(frame, at);
        played.set(farEnd, at);
        at += frame.length;
        return frame;
      },
      resume: () => undefined,
      reset: () => undefined,
    }),
  });
  const emit = (): void => undefined;
  await openMicrophone('default', { pushAudio: () => undefined }, { gain: () => 1, emit });
  const speaker = await openSpeaker('default', emit);
  await wait(1500);
  for (let chirp = 0; chirp < chirps; chirp += 1) {
    speaker.write(createChirp(outputRate));
    await wait(1000);
  }
  await wait(500);
  await lifetime.end();
  const offsets: (number | undefined)[] = [];
  const levels: (number | undefined)[] = [];
  const places = findChirps(played.subarray(0, at));
  for (const place of places) {
    // The second that begins a quarter of a second before it holds only this chirp.
    const from = Math.max(0, Math.round(place) - second / 4);
    const found = findChirp(captured.subarray(from, from + second), inputRate);
    offsets.push(found && ((from + found.sample - place) * 1000) / inputRate);
    levels.push(found?.levelDb);
  }
  const alignment: Alignment = { captured: at, offsets, levels };
  process.stdout.write(`${JSON.stringify(alignment)}\n`);
}

/** Positions of the chirps in the reference. */
function findChirps(played: Float32Array): number[] {
  const places: number[] = [];
  for (let from = 0; from + second < played.length;) {
    const found = findChirp(played.subarray(from, from + second), inputRate);
    if (found === undefined) {
      from += second / 4;
      continue;
    }
    places.push(from + found.sample);
    from += Math.round(found.sample) + second / 2;
  }
  return places;
}

interface VoiceLevels {
  /** Percentiles of the levels of 20 ms blocks, in dBFS: the 10th, the 85th, and the 85th of the last two seconds. */
  readonly roomDb: number;
  readonly voiceDb: number;
  readonly lastVoiceDb: number;
}

export interface HeardOneself extends Readonly<Record<OwnSoundVersion, VoiceLevels>> {
  readonly verdict: OwnSoundVerdict;
  /** Similarity of the loud parts at the best shift; 1 is equal except for the level. */
  readonly alike: number;
  readonly laterMs: number;
}

async function hearOneself(file = ''): Promise<void> {
  const speech = await readSamples(file);
  const lifetime = new Lifetime('hear oneself');
  const devices = new SoundDevices({
    clock: systemClock,
    lifetime,
    log: new FakeLog(),
    driver: createPortAudioDriver(),
    enhancement: () => ({ noise: 'strong', level: 'strong' }),
  });
  const speaker = await devices.openSpeaker('default', () => undefined);
  // The card needs this time to resume.
  await wait(1500);
  speaker.write(speech);
  const recording = new OwnSoundRecording({
    devices,
    audio: () => ({ microphone: 'default', inputVolume: 1 }),
  });
  const finished = await recording.finished;
  await lifetime.end();
  if (finished?.ok !== true) throw new Error('Nothing was recorded.');
  const sound = finished.value;
  const heard: HeardOneself = {
    captured: measureVoice(sound.captured),
    sent: measureVoice(sound.sent),
    verdict: judgeOwnSound(sound),
    ...likeness(sound),
  };
  process.stdout.write(`${JSON.stringify(heard)}\n`);
}

function measureVoice(sound: Float32Array): VoiceLevels {
  const levels = blockLevels(sound, inputRate);
  return {
    roomDb: quantile(levels, 0.1),
    voiceDb: quantile(levels, 0.85),
    lastVoiceDb: quantile(blockLevels(sound.subarray(-2 * inputRate), inputRate), 0.85),
  };
}

/** Compares every 200 ms separately, because levels change, and uses the louder half. */
function likeness({ captured, sent }: OwnSound): { alike: number; laterMs: number } {
  const length = inputRate / 5;
  let best = { alike: -1, laterMs: 0 };
  for (let later = 0; later <= inputRate / 50; later += 1) {
    const parts: { readonly power: number; readonly alike: number }[] = [];
    for (let from = 0; from + length + later <= sent.length; from += length) {
      let [both, one, other] = [0, 1e-12, 1e-12];
      for (let n = from; n < from + length; n += 1) {
        const [a, b] = [captured[n] ?? 0, sent[n + later] ?? 0];
        both += a * b;
        one += a * a;
        other += b * b;
      }
      parts.push({ power: one, alike: both / Math.sqrt(one * other) });
    }
    const loud = parts.toSorted((a, b) => b.power - a.power).slice(0, parts.length >> 1);
    const alike = loud.reduce((sum, part) => sum + part.alike, 0) / loud.length;
    if (alike > best.alike) best = { alike, laterMs: (later * 1000) / inputRate };
  }
  return best;
}

/** Levels of half seconds in dBFS: of the captured sound and of the processed one. */
export interface OwnEcho {
  readonly rawDb: readonly number[];
  readonly leftDb: readonly number[];
  readonly state: string;
  readonly processorShare: number;
}

async function speakAndHear(file = ''): Promise<void> {
  const speech = await readSamples(file);
  const seconds = Math.floor(speech.length / outputRate);
  const lifetime = new Lifetime('speak and hear');
  const { openSpeaker, openMicrophone } = new SoundDevices({
    clock: systemClock,
    lifetime,
    log: new FakeLog(),
    driver: createPortAudioDriver(),
    openEchoCanceller: () => new AdaptiveCanceller(),
  });
  const emit = (): void => undefined;
  const gain = (): number => 1;
  const [raw, left] = [new SoundRecording(seconds), new SoundRecording(seconds)];
  await openMicrophone('default', raw, { gain, emit, unprocessed: true });
  const microphone = await openMicrophone('default', left, { gain, emit });
  const speaker = await openSpeaker('default', emit);
  await wait(1500);
  raw.begin();
  left.begin();
  const before = process.cpuUsage();
  speaker.write(speech);
  await wait(seconds * 1000);
  const spent = process.cpuUsage(before);
  const state = microphone.counters().echo;
  await lifetime.end();
  const levels = ({ sound }: SoundRecording): readonly number[] =>
    Array.from({ length: 2 * seconds - 2 }, (_, half) => powerDb(sound, half / 2, half / 2 + 0.5));
  const echo: OwnEcho = {
    rawDb: levels(raw),
    leftDb: levels(left),
    state,
    processorShare: (spent.user + spent.system) / 1e6 / seconds,
  };
  process.stdout.write(`${JSON.stringify(echo)}\n`);
}

class SoundRecording {
  readonly sound: Float32Array;
  #at = 0;
  #begun = false;

  constructor(seconds: number) {
    this.sound = new Float32Array((seconds + 2) * inputRate);
  }

  begin(): void {
    this.#begun = true;
  }

  readonly pushAudio = (block: Float32Array): void => {
    if (!this.#begun || this.#at + block.length > this.sound.length) return;
    this.sound.set(block, this.#at);
    this.#at += block.length;
  };
}

async function tryRoom(): Promise<void> {
  const lifetime = new Lifetime('try a room');
  const sound = new Audio({
    clock: systemClock,
    lifetime,
    log: new FakeLog(),
    driver: createPortAudioDriver(),
    openEchoCanceller: () => new AdaptiveCanceller(),
    enhancement: () => ({ noise: 'strong', level: 'strong' }),
  });
  const phrase = unwrap(await sound.roomPhrase());
  const test = new RoomTest({
    devices: sound.devices,
    clock: systemClock,
    audio: { microphone: 'default', speaker: 'default', playbackVolume: 1 },
    phrase: phrase,
  });
  const recorded = await test.run(
    () => undefined,
    () => Promise.resolve(false),
  );
  await test.end();
  await lifetime.end();
  if (!recorded.ok) throw new Error('The room was not recorded.');
  const judgement = await judgeRoom(recorded.value);
  process.stdout.write(`${JSON.stringify(judgement)}\n`);
}

const programs = { chirpAndHear, hearOneself, speakAndHear, tryRoom };

export async function run(name: keyof typeof programs, file?: string): Promise<void> {
  await programs[name](file);
}
