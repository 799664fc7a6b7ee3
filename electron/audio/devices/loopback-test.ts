import type { LoopbackResult } from '../../../shared/audio/sound-tests.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSink } from '../capture/capture-pipeline.ts';
import type { Microphone, MicrophoneOptions } from '../capture/microphone.ts';
import { createChirp, findChirp } from '../dsp/chirp.ts';
import { levelDb } from '../dsp/loudness.ts';
import type { Speaker } from '../playback/speaker.ts';
import type { DeviceChoice } from './sound-driver.ts';
import type { DeviceEvent } from './stream-supervisor.ts';

interface Deps {
  readonly openSpeaker: (
    choice: DeviceChoice,
    emit: (event: DeviceEvent) => void,
  ) => Promise<Pick<Speaker, 'write' | 'end'>>;
  readonly openMicrophone: (
    choice: DeviceChoice,
    sink: AudioSink,
    options: MicrophoneOptions,
  ) => Promise<Pick<Microphone, 'end'>>;
  readonly clock: Clock;
}

interface Devices {
  readonly microphone: DeviceChoice;
  readonly speaker: DeviceChoice;
}

const defaultDevices: Devices = { microphone: 'default', speaker: 'default' };

/** A sound system that has just been woken swallows or delays what comes first. */
const warmUpMs = 1200;
/** The end of that tells how loud the room is by itself. */
const quietMs = 600;
/** Wireless speakers are late by half a second; the chirp itself takes as long. */
const listenMs = 2500;

/** The room is measured, not what the person makes of it. */
const asItIs = (): number => 1;

const nothingCameBack: LoopbackResult = {
  heard: false,
  error: appError('testNothing'),
};

/** Plays a chirp on the speaker and listens for it on the microphone: the system's, or those chosen. */
export async function testLoopback(
  { openSpeaker, openMicrophone, clock }: Deps,
  devices: Devices = defaultDevices,
): Promise<LoopbackResult> {
  const lost: LoopbackResult[] = [];
  const emit = (event: DeviceEvent): void => {
    if (event.kind === 'lost') lost.push({ heard: false, error: event.error });
  };
  const take = new Take(clock);
  const microphone = await openMicrophone(devices.microphone, take, {
    gain: asItIs,
    emit,
    withEcho: true,
  });
  const speaker = await openSpeaker(devices.speaker, emit);
  try {
    const [unheard] = lost;
    if (unheard !== undefined) return unheard;
    await passing(clock, warmUpMs - quietMs);
    take.begin();
    await passing(clock, quietMs);
    const noiseDb = Math.round(levelDb(take.recording()));
    take.begin();
    const played = clock.now();
    speaker.write(createChirp(outputRate));
    await passing(clock, listenMs);
    const found = findChirp(take.recording(), inputRate);
    if (found === undefined) return lost[0] ?? nothingCameBack;
    const latencyMs = Math.round(take.arrivalOf(found.sample) - played);
    return { heard: true, latencyMs, levelDb: Math.round(found.levelDb * 10) / 10, noiseDb };
  } finally {
    await Promise.all([speaker.end(), microphone.end()]);
  }
}

/** What the microphone heard, and when each sample of it was there. */
class Take implements AudioSink {
  readonly #clock: Clock;
  #blocks: Float32Array[] = [];
  #length = 0;
  #begun = false;
  /** When the recording began, by the block that was delayed least. */
  #startedAt = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From here on, and without what was before. */
  begin(): void {
    this.#begun = true;
    this.#blocks = [];
    this.#length = 0;
    this.#startedAt = Infinity;
  }

  pushAudio(block: Float32Array): void {
    if (!this.#begun) return;
    this.#blocks.push(block);
    this.#length += block.length;
    const startedAt = this.#clock.now() - (this.#length * 1000) / inputRate;
    this.#startedAt = Math.min(this.#startedAt, startedAt);
  }

  recording(): Float32Array {
    const whole = new Float32Array(this.#length);
    let at = 0;
    for (const block of this.#blocks) {
      whole.set(block, at);
      at += block.length;
    }
    return whole;
  }

  arrivalOf(sample: number): number {
    return this.#startedAt + (sample * 1000) / inputRate;
  }
}

function passing(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
}
