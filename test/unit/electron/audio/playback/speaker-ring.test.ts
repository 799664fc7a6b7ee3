import { expect, it, vi } from 'vitest';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { numbered, SoundStage } from '../devices/sound-stage.ts';

const headset = { name: 'Headset' };

/** A speaker whose device is full. */
async function full(stage: SoundStage) {
  const speaker = await stage.speaker('default');
  speaker.write(new Float32Array(31 * outputRate).fill(0.5));
  const [stream] = stage.driver.speakers;
  if (stream === undefined) throw new Error('it has not opened its device');
  return { speaker, stream };
}

it('a speaker does not try a full device with each write', async () => {
  const stage = new SoundStage();
  const { speaker } = await full(stage);
  const unsent = vi.spyOn(speaker.buffer, 'unsent');
  for (let piece = 0; piece < 50; piece += 1) speaker.write(new Float32Array(100).fill(0.5));
  expect(unsent).not.toHaveBeenCalled();
  await stage.pass(1000);
  expect(unsent.mock.calls.length).toBeLessThan(10);
  await speaker.end();
});

it('a speaker stops refilling once the device has everything', async () => {
  const stage = new SoundStage();
  const { speaker } = await full(stage);
  await stage.pass(1600);
  const unsent = vi.spyOn(speaker.buffer, 'unsent');
  await stage.pass(1000);
  expect(unsent).not.toHaveBeenCalled();
  await speaker.end();
});

it('a speaker writes at once after a flush of a full device', async () => {
  const stage = new SoundStage();
  const { speaker, stream } = await full(stage);
  await stage.pass(10);
  speaker.flush();
  await stage.pass(20);
  speaker.write(numbered(0, 240));
  await stage.pass(10);
  expect(stream.sound.slice(-240)).toEqual([...numbered(0, 240)]);
  await speaker.end();
});

it('a speaker adds up the counters of all its devices', async () => {
  const stage = new SoundStage();
  const speaker = await stage.speaker(headset);
  const broken = new Float32Array(10).fill(Infinity);
  speaker.write(broken);
  await stage.pass(100);
  const first = { underruns: 1, repaired: 10, devices: 1, latencyMs: 20 };
  expect(speaker.counters()).toEqual(first);
  stage.driver.unplug('Headset');
  await stage.pass(1000);
  speaker.write(broken);
  await stage.pass(1000);
  expect(speaker.counters()).toEqual({ ...first, underruns: 2, repaired: 20, devices: 2 });
  stage.driver.unplug('Built-in');
  await stage.pass(1000);
  expect(speaker.counters()).toEqual({ underruns: 2, repaired: 20, devices: 2, latencyMs: 0 });
  await speaker.end();
});
