import { expect, it } from 'vitest';
import { outputRate } from '../../../../../shared/protocol/protocol-limits.ts';
import { fakeBuiltIn } from '../../../../fakes/fake-sound-driver.ts';
import { numbered, SoundStage } from '../devices/sound-stage.ts';

it('a flush takes the converter of a device with its own rate back to its beginning, any time', async () => {
  const stage = new SoundStage([{ ...fakeBuiltIn, rate: 32_000, onlyItsRate: true }]);
  const speaker = await stage.speaker('default');
  const [converter] = stage.converters;
  for (let flush = 0; flush < 3; flush += 1) {
    speaker.write(numbered(0, 1000));
    speaker.flush();
  }
  expect([stage.converters.length, converter?.closed, converter?.restarts]).toEqual([1, false, 3]);
  await stage.pass(100);
  speaker.write(numbered(0, outputRate / 10));
  await stage.pass(300);
  expect(speaker.queued()).toBe(0);
  await speaker.end();
  expect(converter?.closed).toBe(true);
});
