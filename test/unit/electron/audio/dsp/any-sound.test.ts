import { describe, expect, it } from 'vitest';
import { fakeBuiltIn, fakeHeadset } from '../../../../fakes/fake-sound-driver.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { numbered, SoundStage } from '../devices/sound-stage.ts';

const seeds = Array.from({ length: randomRuns(30) }, (_, index) => index + 1);
const strange = { ...fakeHeadset, name: 'Strange', rate: 44_100, onlyItsRate: true };
const devices = [fakeBuiltIn, fakeHeadset, strange];

describe('a microphone and a speaker under random device changes', () => {
  it.each(seeds)('count every sample (seed %i)', async (seed) => {
    const random = seeded(seed);
    const any = <Value>(values: readonly Value[]): Value =>
      values[Math.floor(random() * values.length)] as Value;
    const stage = new SoundStage(devices);
    const speaker = await stage.speaker('default');
    const microphone = await stage.microphone('default');
    let [written, dropped, heard] = [0, 0, 0];
    const waiting: Promise<void>[] = [];
    const doings = [
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
      () => stage.driver.unplug(any(devices).name),
      () => stage.driver.plug(any(devices)),
      () => stage.driver.occupy(any(devices).name, random() < 0.3),
      () => waiting.push(speaker.choose(any(['default', ...devices]))),
      () => waiting.push(microphone.choose(any(['default', ...devices]))),
      () => (stage.driver.openingMs = random() < 0.5 ? 0 : Math.floor(random() * 300)),
      () => (stage.driver.closingMs = random() < 0.5 ? 0 : Math.floor(random() * 300)),
    ];
    for (let step = 0; step < 120; step += 1) {
      any(doings)();
      await stage.pass(Math.floor(random() * 20) * 10);
      const now = speaker.heard();
      expect(now).toBeGreaterThanOrEqual(heard);
      heard = now;
      expect(now + dropped + speaker.queued()).toBeLessThanOrEqual(written);
    }
    for (const device of devices) stage.driver.occupy(device.name, false);
    stage.driver.plug(fakeBuiltIn);
    waiting.push(speaker.choose('default'), microphone.choose('default'));
    await stage.pass(60_000);
    await Promise.all(waiting);
    expect(speaker.heard() + dropped + speaker.queued()).toBe(written);
    expect(speaker.queued()).toBe(0);
    expect(stage.driver.opened).toBe(2);
    const before = stage.samples;
    await stage.pass(1000);
    expect(stage.samples - before).toBe(16_000);
    const ended = Promise.all([speaker.end(), microphone.end()]);
    await stage.pass(1000);
    await ended;
    expect(stage.driver.opened).toBe(0);
  });
});
