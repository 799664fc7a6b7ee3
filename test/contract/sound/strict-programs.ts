// Runs in its own process, on a device that may accept only its own rate: plays and captures, and prints what it heard.
import { SoundDevices } from '../../../electron/audio/devices/sound-devices.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { englishErrorMessage } from '../../../shared/i18n/en/errors.ts';
import { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { Tone } from '../../bench/sound/tone.ts';
import { FakeLog } from '../../fakes/fake-log.ts';

/** Pitch and level of a part of the captured sound. */
interface Part {
  readonly hertz: number;
  readonly level: number;
}

const partsPerSecond = 4;
/** Share of the loudest part; below it is silence or a gap. */
const loudEnough = 0.7;

/**
 * Measures pitch and level of a tone as the median of quarter seconds with sound, because a busy sound server
 * leaves gaps.
 */
export class ToneMeter {
  readonly #samples: Float32Array;
  #filled = 0;
  readonly #parts: Part[] = [];

  constructor(rate: number) {
    this.#samples = new Float32Array(rate / partsPerSecond);
  }

  readonly push = (block: Float32Array): void => {
    for (const sample of block) {
      this.#samples[this.#filled] = sample;
      this.#filled += 1;
      if (this.#filled === this.#samples.length) this.#measure();
    }
  };

  /** Both are zero if nothing was heard. */
  get tone(): Part & { readonly of: number } {
    const loudest = Math.max(0, ...this.#parts.map(({ level }) => level));
    const loud = this.#parts.filter(({ level }) => level > loudest * loudEnough);
    return {
      hertz: middle(loud.map(({ hertz }) => hertz)),
      level: middle(loud.map(({ level }) => level)),
      of: loud.length,
    };
  }

  #measure(): void {
    const samples = this.#samples;
    this.#filled = 0;
    const level = Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);
    // Counts rising zero crossings.
    const rises = samples.filter((x, at) => x >= 0 && (samples[at - 1] ?? 0) < 0).length;
    this.#parts.push({ hertz: rises * partsPerSecond, level });
  }
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The output of `playAndHear`. */
export interface Heard {
  readonly devices: readonly unknown[];
  readonly rates: readonly number[];
  readonly tone: ToneMeter['tone'];
  readonly repaired: number;
  readonly problems: readonly string[];
}

const seconds = 2.5;

async function playAndHear(): Promise<void> {
  const lifetime = new Lifetime('play and hear');
  const { sound, openSpeaker, openMicrophone } = new SoundDevices({
    clock: systemClock,
    lifetime,
    log: new FakeLog(),
    driver: createPortAudioDriver(),
  });
  const listed = await sound.devices();
  const rates: number[] = [];
  const direct = await sound.openSpeaker('default', outputRate);
  if (direct.ok) {
    rates.push(direct.value.rate);
    await direct.value.close();
  }
  const problems: string[] = [];
  const emit = (event: { readonly kind: string; readonly problem?: string }): void => {
    if (event.kind === 'lost') problems.push(event.problem ?? '');
  };
  const meter = new ToneMeter(inputRate);
  const microphone = await openMicrophone(
    'default',
    { pushAudio: meter.push },
    { gain: () => 1, emit },
  );
  const speaker = await openSpeaker('default', emit);
  speaker.write(new Tone(outputRate).next(seconds * outputRate));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const { repaired } = microphone.counters();
  const devices = listed.ok ? listed.value : [englishErrorMessage(listed.error)];
  const heard: Heard = { devices, rates, tone: meter.tone, repaired, problems };
  process.stdout.write(`${JSON.stringify(heard)}\n`);
  await lifetime.end();
}

/** The output of `openBeside`. */
export interface OpenedBeside {
  /** The distinct rates of the opened streams. */
  readonly rates: readonly number[];
  readonly problems: readonly string[];
}

const microphones = 3;
const times = 60;

async function openBeside(): Promise<void> {
  const driver = createPortAudioDriver();
  const problems: string[] = [];
  const rates = new Set<number>();
  // Keeps the process alive while it waits.
  const holding = setInterval(() => undefined, 1000);

  const capturing = [];
  for (let count = 0; count < microphones; count += 1) {
    const microphone = await driver.openMicrophone('default', inputRate, {
      captured: () => undefined,
    });
    if (microphone.ok) capturing.push(microphone.value);
    else problems.push(englishErrorMessage(microphone.error));
  }
  for (let time = 0; time < times; time += 1) {
    const speaker = await driver.openSpeaker('default', outputRate);
    if (!speaker.ok) {
      problems.push(englishErrorMessage(speaker.error));
      continue;
    }
    rates.add(speaker.value.rate);
    await speaker.value.close();
  }
  for (const microphone of capturing) await microphone.close();
  clearInterval(holding);
  process.stdout.write(
    `${JSON.stringify({ rates: [...rates], problems } satisfies OpenedBeside)}\n`,
  );
}

const programs = { playAndHear, openBeside };

export async function run(name: keyof typeof programs): Promise<void> {
  await programs[name]();
}
