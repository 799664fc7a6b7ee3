// Runs in its own process: plays Parley's voice while another program plays a film, and captures what the model would
// hear of the computer.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { SoundDevices } from '../../../electron/audio/devices/sound-devices.ts';
import { joinSamples } from '../../../electron/audio/dsp/samples.ts';
import { resample } from '../../../electron/audio/dsp/sinc-resampler.ts';
import { AdaptiveCanceller } from '../../../electron/audio/echo/adaptive-canceller.ts';
import { createComputerSound } from '../../../electron/platform/computer-sound.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { FakeLog } from '../../fakes/fake-log.ts';

export interface HeardFilm {
  /** Level of Parley's voice alone: as played, and as captured once the canceller has learned. In dBFS. */
  readonly ownDb: number;
  readonly ownLeftDb: number;
  /** Similarity of the captured sound to the film while both played; 1 if they are equal. */
  readonly likeFilm: number;
}

const alone = 4;
const together = 4;

/** Both files hold 24 kHz samples: Parley's voice and the film. */
export async function run(voiceFile = '', filmFile = ''): Promise<void> {
  const [voice, film] = [await readSamples(voiceFile), await readSamples(filmFile)];
  const lifetime = new Lifetime('hear a film');
  const devices = new SoundDevices({
    driver: createPortAudioDriver(),
    clock: systemClock,
    lifetime,
    log: new FakeLog(),
    openEchoCanceller: () => new AdaptiveCanceller(),
    openComputerSound: createComputerSound(),
  });
  const speaker = await devices.openSpeaker('default', () => undefined);
  // The card needs this time to resume.
  await wait(1500);
  const captured: Float32Array[] = [];
  const sink = { pushAudio: (block: Float32Array) => captured.push(block) };
  const failures: unknown[] = [];
  await devices.openComputerSound?.(sink, (event) => {
    if (event.kind === 'lost') failures.push(event.error);
  });
  const playing = playVoice(voice, (samples) => speaker.write(samples));
  await wait(alone * 1000);
  const format = ['--raw', `--rate=${outputRate}`, '--channels=1', '--format=float32le'];
  const player = spawn('paplay', [...format, filmFile]);
  await wait(together * 1000);
  player.kill();
  await playing;
  await lifetime.end();
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  const sound = joinSamples(captured);
  const [ownVoice, itsFilm] = [voice, film].map((samples) =>
    resample(samples, outputRate, inputRate),
  ) as [Float32Array, Float32Array];
  const second = (from: number, to: number): Float32Array =>
    sound.subarray(from * inputRate, to * inputRate);
  const mixed = second(alone + 1, alone + together - 0.5);
  const heard: HeardFilm = {
    ownDb: levelDb(ownVoice),
    ownLeftDb: levelDb(second(2, alone - 0.5)),
    likeFilm: bestMatch(mixed, itsFilm),
  };
  process.stdout.write(`${JSON.stringify(heard)}\n`);
}

async function readSamples(file: string): Promise<Float32Array> {
  return new Float32Array(new Uint8Array(await readFile(file)).buffer);
}

async function playVoice(
  voice: Float32Array,
  write: (samples: Float32Array) => unknown,
): Promise<void> {
  const piece = outputRate / 5;
  for (let at = 0; at < voice.length && at < (alone + together) * outputRate; at += piece) {
    write(voice.subarray(at, at + piece));
    await wait(195);
  }
}

function levelDb(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return 10 * Math.log10(power + 1e-12);
}

/** The highest normalised correlation of the sound's loudest half second with any audible place of the original. */
function bestMatch(sound: Float32Array, original: Float32Array): number {
  const [piece, whole] = [coarse(loudestHalfSecond(sound)), coarse(original)];
  let best = 0;
  for (let at = 0; at + piece.length <= whole.length; at += 1) {
    let [both, one, other] = [0, 0, 0];
    for (let n = 0; n < piece.length; n += 1) {
      const [a, b] = [piece[n] ?? 0, whole[at + n] ?? 0];
      both += a * b;
      one += a * a;
      other += b * b;
    }
    if (other > piece.length * audiblePower)
      best = Math.max(best, Math.abs(both) / Math.sqrt(one * other));
  }
  return best;
}

const audiblePower = 1e-4;

/** A quarter of the rate holds enough of a voice to compare it. */
function coarse(samples: Float32Array): Float32Array {
  return new Float32Array(Math.floor(samples.length / 4)).map((_, n) => {
    const four = samples.subarray(4 * n, 4 * n + 4);
    return four.reduce((sum, sample) => sum + sample, 0) / 4;
  });
}

function loudestHalfSecond(sound: Float32Array): Float32Array {
  const length = inputRate / 2;
  let [loudest, highest] = [sound.subarray(0, length), -Infinity];
  for (let at = 0; at + length <= sound.length; at += length / 2) {
    const part = sound.subarray(at, at + length);
    const level = levelDb(part);
    if (level > highest) [loudest, highest] = [part, level];
  }
  return loudest;
}
