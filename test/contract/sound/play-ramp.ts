// A process of its own: it plays a slowly rising value, so that each sample heard says which it is.
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import { rampSeconds, rampValue } from './ramp.ts';

export async function run(): Promise<void> {
  const opened = await createPortAudioDriver().openSpeaker('default', outputRate);
  if (!opened.ok) throw new Error(opened.error.code);
  const speaker = opened.value;
  // The first second of a stream is not to be relied on.
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
