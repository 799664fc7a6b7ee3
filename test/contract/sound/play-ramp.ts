// Runs in its own process: plays a slowly rising ramp, so each captured sample is identifiable.
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import { unwrap } from '../../fakes/unwrap.ts';
import { rampSeconds, rampValue } from './ramp.ts';

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
