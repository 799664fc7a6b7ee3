import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createChirp, findChirp } from '../../../electron/audio/devices/loopback-test.ts';
import { SoundDevices } from '../../../electron/audio/devices/sound-devices.ts';
import { AdaptiveCanceller } from '../../../electron/audio/echo/adaptive-canceller.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { powerDb } from '../../fakes/echo-room.ts';
import { FakeLog } from '../../fakes/fake-log.ts';
import { unwrap } from '../../fakes/unwrap.ts';

// Runs in its own process: plays through a loopback, and prints what comes back.

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
      delayMs: 0,
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

/** Long enough for several breaks. */
const rampSeconds = 10;
const lowestLevel = 0.1;
const risePerSecond = 0.8 / rampSeconds;

const rampValue = (second: number): number => lowestLevel + risePerSecond * second;

/** Plays a slowly rising ramp, so each captured sample is identifiable. */
async function playRamp(): Promise<void> {
  const opened = unwrap(await createPortAudioDriver().openSpeaker('default', outputRate));
  const speaker = opened;
  // The first second of a stream is unreliable.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const ramp = Float32Array.from({ length: rampSeconds * outputRate }, (_, n) =>
    rampValue(n / outputRate),
  );
  speaker.write(ramp);
  process.stdout.write('plays\n');
  while (speaker.stats().queued > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await speaker.close();
}

const parts = rampSeconds * 50;

interface RampParts {
  readonly unheard: number;
  readonly repeated: number;
}

/**
 * How many fiftieths of a second of the ramp were never captured, and how many more than once. Fades change
 * faster than the ramp and are excluded.
 */
export function countRampParts(recording: Float32Array, rate: number): RampParts {
  const heard = Array.from({ length: parts }, () => 0);
  const step = rate / 1000;
  const maxChanged = (risePerSecond / 1000) * 3;
  for (let at = step; at < recording.length; at += 1) {
    const value = recording[at] ?? 0;
    const changed = Math.abs(value - (recording[at - step] ?? 0));
    if (value <= lowestLevel || changed >= maxChanged) continue;
    const part = Math.floor(((value - lowestLevel) / risePerSecond) * 50);
    heard[part] = (heard[part] ?? 0) + 1;
  }
  const expected = rate / 50;
  return {
    unheard: heard.slice(0, parts).filter((count) => count === 0).length,
    repeated: heard.filter((count) => count > expected * 1.5).length,
  };
}

const programs = { chirpAndHear, speakAndHear, playRamp };

export async function run(name: keyof typeof programs, file?: string): Promise<void> {
  await programs[name](file);
}
