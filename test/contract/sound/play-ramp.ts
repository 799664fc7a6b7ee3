// Runs in its own process: plays a slowly rising ramp, so each captured sample is identifiable.
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import { unwrap } from '../../fakes/unwrap.ts';

/** Long enough for several breaks. */
const rampSeconds = 10;
const lowestLevel = 0.1;
const risePerSecond = 0.8 / rampSeconds;

const rampValue = (second: number): number => lowestLevel + risePerSecond * second;

export async function run(): Promise<void> {
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
