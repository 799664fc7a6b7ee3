// Runs in its own process: plays a file of 24 kHz samples on any device and reports how loud it hears itself.
import { readFile } from 'node:fs/promises';
import { SoundDevices } from '../../../electron/audio/devices/sound-devices.ts';
import { AdaptiveCanceller } from '../../../electron/audio/echo/adaptive-canceller.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { powerDb } from '../../fakes/echo-room.ts';
import { FakeLog } from '../../fakes/fake-log.ts';

/** Levels of half seconds in dBFS: of the captured sound and of the processed one. */
export interface OwnEcho {
  readonly rawDb: readonly number[];
  readonly leftDb: readonly number[];
  readonly state: string;
  readonly processorShare: number;
}

export async function run(file = ''): Promise<void> {
  const bytes = await readFile(file);
  const speech = new Float32Array(new Uint8Array(bytes).buffer);
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
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
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
