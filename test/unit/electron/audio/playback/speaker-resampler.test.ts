import { expect, it } from 'vitest';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { fakeBuiltIn } from '../../../../fakes/fake-sound-driver.ts';
import { numbered, SoundStage } from '../devices/sound-stage.ts';

it('a flush drops the samples inside the resampler of a device with its own rate', async () => {
  const stage = new SoundStage([{ ...fakeBuiltIn, rate: 32_000, onlyItsRate: true }]);
  const speaker = await stage.speaker('default');
  for (let flush = 0; flush < 3; flush += 1) {
    speaker.write(numbered(0, 1000));
    speaker.flush();
  }
  await stage.pass(100);
  const [stream] = stage.driver.speakers;
  const before = stream?.sound.length ?? 0;
  speaker.write(new Float32Array(outputRate / 10));
  await stage.pass(300);
  expect(speaker.queued()).toBe(0);
  expect(stream?.sound.slice(before).filter((sample) => sample !== 0)).toEqual([]);
  await speaker.end();
});
