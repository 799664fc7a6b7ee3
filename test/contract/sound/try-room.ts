// Runs in its own process: tests the room through any devices and prints the judgement.
import { Audio } from '../../../electron/app/audio.ts';
import { judgeRoom, RoomTest } from '../../../electron/audio/devices/room-test.ts';
import { AdaptiveCanceller } from '../../../electron/audio/echo/adaptive-canceller.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { Lifetime } from '../../../shared/lifetime.ts';
import { FakeLog } from '../../fakes/fake-log.ts';
import { unwrap } from '../../fakes/unwrap.ts';

export async function run(): Promise<void> {
  const lifetime = new Lifetime('try a room');
  const sound = new Audio({
    clock: systemClock,
    lifetime,
    log: new FakeLog(),
    driver: createPortAudioDriver(),
    openEchoCanceller: () => new AdaptiveCanceller(),
    enhancement: () => ({ noise: 'strong', level: 'strong' }),
  });
  const phrase = unwrap(await sound.roomPhrase());
  const test = new RoomTest({
    devices: sound.devices,
    clock: systemClock,
    audio: { microphone: 'default', speaker: 'default', playbackVolume: 1 },
    phrase: phrase,
  });
  const recorded = await test.run(
    () => undefined,
    () => Promise.resolve(false),
  );
  await test.end();
  await lifetime.end();
  if (!recorded.ok) throw new Error('The room was not recorded.');
  const judgement = await judgeRoom(recorded.value);
  process.stdout.write(`${JSON.stringify(judgement)}\n`);
}
