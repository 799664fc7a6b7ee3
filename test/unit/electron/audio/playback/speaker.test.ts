import { describe, expect, it, vi } from 'vitest';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { fakeBuiltIn, fakeHeadset } from '../../../../fakes/fake-sound-driver.ts';
import { numbered, settle, SoundHarness } from '../devices/sound-harness.ts';

const headset = { name: 'Headset' };

describe('a speaker', () => {
  it('plays, emits the device in use, and ends', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker('default');
    speaker.write(numbered(0, 1000));
    expect(speaker.queued()).toBe(1000);
    await harness.pass(200);
    expect([speaker.heard(), speaker.queued()]).toEqual([1000, 0]);
    expect(harness.heardSamples).toEqual([...numbered(0, 1000)]);
    expect(harness.kinds).toEqual(['Built-in']);
    expect(speaker.counters()).toMatchObject({ devices: 1, underruns: 1, repaired: 0 });
    await speaker.end();
    await speaker.end();
    expect(harness.driver.opened).toBe(0);
  });

  it('moves to the default within a second when its device dies, and reports the move once', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker(headset);
    speaker.write(numbered(0, 30 * outputRate));
    await harness.pass(300);
    harness.driver.unplug('Headset');
    await harness.pass(1000);
    expect(harness.kinds).toEqual(['Headset', 'moved Built-in']);
    expect(harness.events[1]).toEqual({ kind: 'moved', from: 'Headset', device: 'Built-in' });
    await harness.pass(5000);
    expect(harness.events).toHaveLength(2);
    harness.driver.plug(fakeHeadset);
    await harness.pass(1000);
    expect(harness.kinds).toEqual(['Headset', 'moved Built-in', 'Headset']);
    expect(harness.driver.opened).toBe(1);
    await speaker.end();
  });

  it('plays the queue on the next device, without loss or repetition', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker(headset);
    for (let at = 0; at < 48_000; at += 4800) speaker.write(numbered(at, 4800));
    await harness.pass(330);
    // The speaker last read the counters some time ago, so only the stream knows which samples it played at the end.
    harness.driver.unplug('Headset');
    await harness.pass(4000);
    expect(harness.heardSamples).toEqual([...numbered(0, 48_000)]);
    expect([speaker.heard(), speaker.queued()]).toEqual([48_000, 0]);
    await speaker.end();
  });

  it('keeps sound that is written while there is no device', async () => {
    const harness = new SoundHarness([]);
    const speaker = await harness.speaker('default');
    expect(harness.events).toEqual([{ kind: 'lost', error: appError('noSpeaker') }]);
    speaker.write(numbered(0, 500));
    speaker.setVolume(0.5);
    await harness.pass(5000);
    expect([speaker.heard(), speaker.queued(), harness.events.length]).toEqual([0, 500, 1]);
    harness.driver.plug(fakeBuiltIn);
    await harness.pass(1000);
    expect(harness.heardSamples).toEqual([...numbered(0, 500)]);
    expect(harness.driver.speakers[0]?.volume).toBe(0.5);
    await speaker.end();
  });

  it('reports at a flush how much will have been heard, and then plays new sound in full', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker('default');
    let [written, dropped] = [0, 0];
    for (let round = 0; round < 3; round += 1) {
      speaker.write(numbered(written, 24_000));
      written += 24_000;
      await harness.pass(205);
      const flushed = speaker.flush();
      dropped += flushed.dropped;
      expect(flushed.heard + dropped).toBe(written);
      // Sound inside the device has yet to be heard.
      expect(speaker.heard()).toBeLessThan(flushed.heard);
      await harness.pass(50);
      expect(speaker.heard()).toBe(flushed.heard);
      expect(speaker.flush()).toEqual({ heard: flushed.heard, dropped: 0, answer: 0 });
    }
    speaker.write(numbered(written, 1000));
    await harness.pass(300);
    expect(speaker.heard() + dropped).toBe(written + 1000);
    expect(harness.heardSamples.slice(-1000)).toEqual([...numbered(written, 1000)]);
    await speaker.end();
  });

  it('plays an answer longer than the ring', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker('default');
    const seconds = 40;
    for (let second = 0; second < seconds; second += 1) {
      speaker.write(numbered(second * outputRate, outputRate));
    }
    await harness.pass(seconds * 1000 + 500);
    expect(speaker.heard()).toBe(seconds * outputRate);
    const sound = harness.heardSamples;
    expect(sound.every((sample, index) => sample === index + 1)).toBe(true);
    await speaker.end();
  });

  it('resamples for a device with its own rate, and counts at 24 kHz', async () => {
    const harness = new SoundHarness([{ ...fakeBuiltIn, rate: 44_100, onlyItsRate: true }]);
    const speaker = await harness.speaker('default');
    for (let block = 0; block < 10; block += 1) speaker.write(numbered(block * 777, 777));
    await harness.pass(50);
    speaker.flush();
    speaker.write(numbered(0, 2401));
    await harness.pass(500);
    const { heard, dropped } = speaker.flush();
    expect([speaker.queued(), dropped]).toEqual([0, 0]);
    expect(heard).toBeGreaterThan(2401);
    const last = harness.driver.speakers[0]?.sound.at(-1);
    // The resampler holds back the last samples.
    expect(last).toBeLessThanOrEqual(2401);
    expect(last).toBeGreaterThan(2401 - 50);
    await speaker.end();
  });

  it('loses nothing between a device of another rate and the next', async () => {
    const strange = { ...fakeHeadset, rate: 48_000, onlyItsRate: true };
    const harness = new SoundHarness([fakeBuiltIn, strange]);
    const speaker = await harness.speaker(headset);
    speaker.write(numbered(0, 24_000));
    await harness.pass(300);
    harness.driver.unplug('Headset');
    await harness.pass(3000);
    const [first, next] = harness.driver.speakers;
    const [before = [], after = []] = [first?.sound, next?.sound];
    // The ramp continues at twice the rate where it was cut.
    expect(before.length).toBeGreaterThan(5000);
    expect(before.every((sample, at) => Math.abs(sample - (1 + at / 2)) < 0.1)).toBe(true);
    expect([...after]).toEqual([...numbered(24_000 - after.length, after.length)]);
    expect(after.length).toBe(24_000 - Math.round(before.length / 2));
    expect(speaker.heard()).toBe(24_000);
    await speaker.end();
  });

  it('combines ducking and volume', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker(headset);
    const volume = () => harness.driver.speakers.at(-1)?.volume;
    speaker.setVolume(0.8);
    speaker.setDuckGain(0.25);
    expect(volume()).toBeCloseTo(0.2);
    speaker.setVolume(0.4);
    expect(volume()).toBeCloseTo(0.1);
    speaker.setDuckGain(1);
    expect(volume()).toBe(0.4);
    await speaker.end();
    await settle();
  });
});

/** A speaker whose device is full. */
async function full(harness: SoundHarness) {
  const speaker = await harness.speaker('default');
  speaker.write(new Float32Array(31 * outputRate).fill(0.5));
  const [stream] = harness.driver.speakers;
  if (stream === undefined) throw new Error('it has not opened its device');
  return { speaker, stream };
}

it('a speaker does not try a full device with each write', async () => {
  const harness = new SoundHarness();
  const { speaker } = await full(harness);
  const unsent = vi.spyOn(speaker.buffer, 'unsent');
  for (let piece = 0; piece < 50; piece += 1) speaker.write(new Float32Array(100).fill(0.5));
  expect(unsent).not.toHaveBeenCalled();
  await harness.pass(1000);
  expect(unsent.mock.calls.length).toBeLessThan(10);
  await speaker.end();
});

it('a speaker stops refilling after the device has everything', async () => {
  const harness = new SoundHarness();
  const { speaker } = await full(harness);
  await harness.pass(1600);
  const unsent = vi.spyOn(speaker.buffer, 'unsent');
  await harness.pass(1000);
  expect(unsent).not.toHaveBeenCalled();
  await speaker.end();
});

it('a speaker writes at once after a flush of a full device', async () => {
  const harness = new SoundHarness();
  const { speaker, stream } = await full(harness);
  await harness.pass(10);
  speaker.flush();
  await harness.pass(20);
  speaker.write(numbered(0, 240));
  await harness.pass(10);
  expect(stream.sound.slice(-240)).toEqual([...numbered(0, 240)]);
  await speaker.end();
});

it('a speaker adds up the counters of all its devices', async () => {
  const harness = new SoundHarness();
  const speaker = await harness.speaker(headset);
  const broken = new Float32Array(10).fill(Infinity);
  speaker.write(broken);
  await harness.pass(100);
  const first = { underruns: 1, repaired: 10, devices: 1, latencyMs: 20 };
  expect(speaker.counters()).toEqual(first);
  harness.driver.unplug('Headset');
  await harness.pass(1000);
  speaker.write(broken);
  await harness.pass(1000);
  expect(speaker.counters()).toEqual({ ...first, underruns: 2, repaired: 20, devices: 2 });
  harness.driver.unplug('Built-in');
  await harness.pass(1000);
  expect(speaker.counters()).toEqual({ underruns: 2, repaired: 20, devices: 2, latencyMs: 0 });
  await speaker.end();
});

it('a flush drops the samples inside the resampler of a device with its own rate', async () => {
  const harness = new SoundHarness([{ ...fakeBuiltIn, rate: 32_000, onlyItsRate: true }]);
  const speaker = await harness.speaker('default');
  for (let flush = 0; flush < 3; flush += 1) {
    speaker.write(numbered(0, 1000));
    speaker.flush();
  }
  await harness.pass(100);
  const [stream] = harness.driver.speakers;
  const before = stream?.sound.length ?? 0;
  speaker.write(new Float32Array(outputRate / 10));
  await harness.pass(300);
  expect(speaker.queued()).toBe(0);
  expect(stream?.sound.slice(before).filter((sample) => sample !== 0)).toEqual([]);
  await speaker.end();
});
