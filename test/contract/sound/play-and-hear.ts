// Runs in its own process: plays a tone on any device and reports what it captures.
import { SoundDevices } from '../../../electron/audio/devices/sound-devices.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { englishErrorMessage } from '../../../shared/i18n/en/errors.ts';
import { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { Tone } from '../../bench/sound/tone.ts';
import { FakeLog } from '../../fakes/fake-log.ts';
import { ToneMeter } from './tone-meter.ts';

/** The report of the process. */
export interface Heard {
  readonly devices: readonly unknown[];
  readonly rates: readonly number[];
  readonly tone: ToneMeter['tone'];
  readonly repaired: number;
  readonly problems: readonly string[];
}

const seconds = 2.5;

export async function run(): Promise<void> {
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
