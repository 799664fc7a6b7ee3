import { describe, expect, it } from 'vitest';
import { StreamSupervisor } from '../../../../../electron/audio/devices/stream-supervisor.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { collectUnhandledRejections } from '../../../../fakes/collect-unhandled-rejections.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { fakeBuiltIn, fakeHeadset } from '../../../../fakes/fake-sound-driver.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { numbered, SoundHarness } from './sound-harness.ts';

const headset = { name: 'Headset' };

describe('StreamSupervisor', () => {
  it('follows the system from one default device to the next, and emits it', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker('default');
    await harness.pass(4000);
    expect([harness.kinds, speaker.counters().devices]).toEqual([['Built-in'], 1]);
    harness.driver.makeDefault('Headset');
    await harness.pass(4000);
    expect(harness.kinds).toEqual(['Built-in', 'Headset']);
    expect(harness.driver.opened).toBe(1);
    await speaker.end();
  });

  it('emits the loss of a device that hangs and cannot be closed, within a second', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker(headset);
    harness.driver.openingMs = 4000;
    harness.driver.closingMs = 1000;
    harness.driver.unplug('Headset');
    await harness.pass(1000);
    expect(harness.kinds).toEqual(['Headset', 'lost']);
    expect(harness.events[1]).toEqual({
      kind: 'lost',
      error: appError('deviceSilent', { device: 'Headset' }),
    });
    const ending = speaker.end();
    await harness.pass(9000);
    await ending;
    expect(harness.driver.opened).toBe(0);
  });
});

it('StreamSupervisor retries after an unexpected error of the driver, and rejects the call that began', async () => {
  const clock = new FakeClock();
  const emitted: string[] = [];
  let opens = 0;
  const stream = {
    device: fakeBuiltIn,
    stats: () => ({ alive: true }),
    close: () => Promise.resolve(),
  };
  const supervisor = new StreamSupervisor<typeof stream>('default', {
    clock,
    open: () => {
      opens += 1;
      if (opens < 3) return Promise.reject(new Error(`fault ${opens}`));
      return Promise.resolve({ ok: true, value: stream });
    },
    allowsSubstitute: () => false,
    onOpened: () => undefined,
    onGone: () => undefined,
    emit: ({ kind }) => emitted.push(kind),
  });
  const seen = await collectUnhandledRejections(async () => {
    await expect(supervisor.begin()).rejects.toThrow('fault 1');
    for (let time = 0; time < 20; time += 1) {
      clock.advance(50);
      await flushPromises();
    }
  });
  expect([emitted, opens]).toEqual([['using'], 3]);
  expect(seen).toEqual([new Error('fault 2')]);
  await supervisor.end();
});

const seeds = Array.from({ length: randomRuns(30) }, (_, index) => index + 1);
const strange = { ...fakeHeadset, name: 'Strange', rate: 44_100, onlyItsRate: true };
const randomDevices = [fakeBuiltIn, fakeHeadset, strange];

describe('a microphone and a speaker under random device changes', () => {
  it.each(seeds)('count every sample (seed %i)', async (seed) => {
    const random = seeded(seed);
    const any = <Value>(values: readonly Value[]): Value =>
      values[Math.floor(random() * values.length)] as Value;
    const harness = new SoundHarness(randomDevices);
    const speaker = await harness.speaker('default');
    const microphone = await harness.microphone('default');
    let [written, dropped, heard] = [0, 0, 0];
    const waiting: Promise<void>[] = [];
    const actions = [
      () => {
        const count = Math.floor(random() * 9000);
        speaker.write(numbered(written, count));
        written += count;
      },
      () => {
        const flushed = speaker.flush();
        dropped += flushed.dropped;
        expect(flushed.heard + dropped).toBe(written);
      },
      () => harness.driver.unplug(any(randomDevices).name),
      () => harness.driver.plug(any(randomDevices)),
      () => harness.driver.occupy(any(randomDevices).name, random() < 0.3),
      () => waiting.push(speaker.choose(any(['default', ...randomDevices]))),
      () => waiting.push(microphone.choose(any(['default', ...randomDevices]))),
      () => (harness.driver.openingMs = random() < 0.5 ? 0 : Math.floor(random() * 300)),
      () => (harness.driver.closingMs = random() < 0.5 ? 0 : Math.floor(random() * 300)),
    ];
    for (let step = 0; step < 120; step += 1) {
      any(actions)();
      await harness.pass(Math.floor(random() * 20) * 10);
      const now = speaker.heard();
      expect(now).toBeGreaterThanOrEqual(heard);
      heard = now;
      expect(now + dropped + speaker.queued()).toBeLessThanOrEqual(written);
    }
    for (const device of randomDevices) harness.driver.occupy(device.name, false);
    harness.driver.plug(fakeBuiltIn);
    waiting.push(speaker.choose('default'), microphone.choose('default'));
    await harness.pass(60_000);
    await Promise.all(waiting);
    expect(speaker.heard() + dropped + speaker.queued()).toBe(written);
    expect(speaker.queued()).toBe(0);
    expect(harness.driver.opened).toBe(2);
    const before = harness.samples;
    await harness.pass(1000);
    expect(harness.samples - before).toBe(16_000);
    const ended = Promise.all([speaker.end(), microphone.end()]);
    await harness.pass(1000);
    await ended;
    expect(harness.driver.opened).toBe(0);
  });
});
