// Runs in its own process: plays chirps that come back, and reports how much later they are in the
// captured sound than in the echo reference.
import { SoundDevices } from '../../../electron/audio/devices/sound-devices.ts';
import { createChirp, findChirp } from '../../../electron/audio/devices/loopback-test.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { FakeLog } from '../../fakes/fake-log.ts';

/** For each chirp, how many milliseconds later it was captured than it is in the reference. */
export interface Alignment {
  readonly captured: number;
  readonly offsets: readonly (number | undefined)[];
  readonly levels: readonly (number | undefined)[];
}

const chirps = 12;
const second = inputRate;

export async function run(): Promise<void> {
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
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
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
