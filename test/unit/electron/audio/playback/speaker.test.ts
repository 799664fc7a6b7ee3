import { describe, expect, it } from 'vitest';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { fakeBuiltIn, fakeHeadset } from '../../../../fakes/fake-sound-driver.ts';
import { numbered, settle, SoundStage } from '../devices/sound-stage.ts';

const headset = { name: 'Headset' };

const soundOf = (stage: SoundStage): number[] =>
  stage.driver.speakers.flatMap(({ sound }) => sound);

describe('a speaker', () => {
  it('plays what is written, emits which device it uses, and ends', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    speaker.write(numbered(0, 1000));
    expect(speaker.queued()).toBe(1000);
    await stage.pass(200);
    expect([speaker.heard(), speaker.queued()]).toEqual([1000, 0]);
    expect(soundOf(stage)).toEqual([...numbered(0, 1000)]);
    expect(stage.kinds).toEqual(['Built-in']);
    expect(speaker.counters()).toMatchObject({ devices: 1, underruns: 1, repaired: 0 });
    await speaker.end();
    await speaker.end();
    expect(stage.driver.opened).toBe(0);
  });

  it('moves to the default within a second when its device dies, and says so once', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker(headset);
    speaker.write(numbered(0, 30 * outputRate));
    await stage.pass(300);
    stage.driver.unplug('Headset');
    await stage.pass(1000);
    expect(stage.kinds).toEqual(['Headset', 'moved Built-in']);
    expect(stage.events[1]).toEqual({ kind: 'moved', from: 'Headset', device: 'Built-in' });
    await stage.pass(5000);
    expect(stage.events).toHaveLength(2);
    stage.driver.plug(fakeHeadset);
    await stage.pass(1000);
    expect(stage.kinds).toEqual(['Headset', 'moved Built-in', 'Headset']);
    expect(stage.driver.opened).toBe(1);
    await speaker.end();
  });

  it('plays on the next device what was queued, without loss or doubling', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker(headset);
    for (let at = 0; at < 48_000; at += 4800) speaker.write(numbered(at, 4800));
    await stage.pass(330);
    // Nobody has asked for the counters since: what was played last is known only by the stream.
    stage.driver.unplug('Headset');
    await stage.pass(4000);
    expect(soundOf(stage)).toEqual([...numbered(0, 48_000)]);
    expect([speaker.heard(), speaker.queued()]).toEqual([48_000, 0]);
    await speaker.end();
  });

  it('keeps what is written while there is no device', async () => {
    const stage = new SoundStage([]);
    const speaker = await stage.speaker('default');
    expect(stage.events).toEqual([{ kind: 'lost', error: appError('noSpeaker') }]);
    speaker.write(numbered(0, 500));
    speaker.setVolume(0.5);
    await stage.pass(5000);
    expect([speaker.heard(), speaker.queued(), stage.events.length]).toEqual([0, 500, 1]);
    stage.driver.plug(fakeBuiltIn);
    await stage.pass(1000);
    expect(soundOf(stage)).toEqual([...numbered(0, 500)]);
    expect(stage.driver.speakers[0]?.volume).toBe(0.5);
    await speaker.end();
  });

  it('flushes without a device, and drops what was waiting', async () => {
    const stage = new SoundStage([]);
    const speaker = await stage.speaker('default');
    speaker.write(numbered(0, 500));
    expect(speaker.flush()).toEqual({ heard: 0, dropped: 500, answer: 0 });
    stage.driver.plug(fakeBuiltIn);
    await stage.pass(1000);
    expect(soundOf(stage)).toEqual([]);
    await speaker.end();
  });

  it('says at a flush what will have been heard; what comes after it is played in full', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    let [written, dropped] = [0, 0];
    for (let round = 0; round < 3; round += 1) {
      speaker.write(numbered(written, 24_000));
      written += 24_000;
      await stage.pass(205);
      const flushed = speaker.flush();
      dropped += flushed.dropped;
      expect(flushed.heard + dropped).toBe(written);
      // What the device holds is not heard yet.
      expect(speaker.heard()).toBeLessThan(flushed.heard);
      await stage.pass(50);
      expect(speaker.heard()).toBe(flushed.heard);
      expect(speaker.flush()).toEqual({ heard: flushed.heard, dropped: 0, answer: 0 });
    }
    speaker.write(numbered(written, 1000));
    await stage.pass(300);
    expect(speaker.heard() + dropped).toBe(written + 1000);
    expect(soundOf(stage).slice(-1000)).toEqual([...numbered(written, 1000)]);
    await speaker.end();
  });

  it('plays an answer that is longer than the ring', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    const seconds = 40;
    for (let second = 0; second < seconds; second += 1) {
      speaker.write(numbered(second * outputRate, outputRate));
    }
    await stage.pass(seconds * 1000 + 500);
    expect(speaker.heard()).toBe(seconds * outputRate);
    const sound = soundOf(stage);
    expect(sound.every((sample, index) => sample === index + 1)).toBe(true);
    await speaker.end();
  });

  it('converts for a device that takes only its own rate, and counts at its own', async () => {
    const stage = new SoundStage([{ ...fakeBuiltIn, rate: 44_100, onlyItsRate: true }]);
    const speaker = await stage.speaker('default');
    for (let block = 0; block < 10; block += 1) speaker.write(numbered(block * 777, 777));
    await stage.pass(50);
    speaker.flush();
    speaker.write(numbered(0, 2401));
    await stage.pass(500);
    const { heard, dropped } = speaker.flush();
    expect([speaker.queued(), dropped]).toEqual([0, 0]);
    expect(heard).toBeGreaterThan(2401);
    const last = stage.driver.speakers[0]?.sound.at(-1);
    // The resampler waits for what lies behind the last samples.
    expect(last).toBeLessThanOrEqual(2401);
    expect(last).toBeGreaterThan(2401 - 50);
    await speaker.end();
  });

  it('loses nothing between a device of another rate and the next one', async () => {
    const strange = { ...fakeHeadset, rate: 48_000, onlyItsRate: true };
    const stage = new SoundStage([fakeBuiltIn, strange]);
    const speaker = await stage.speaker(headset);
    speaker.write(numbered(0, 24_000));
    await stage.pass(300);
    stage.driver.unplug('Headset');
    await stage.pass(3000);
    const [first, next] = stage.driver.speakers;
    const [before = [], after = []] = [first?.sound, next?.sound];
    // A ramp is still one with twice the samples, and goes on where it was left.
    expect(before.length).toBeGreaterThan(5000);
    expect(before.every((sample, at) => Math.abs(sample - (1 + at / 2)) < 0.1)).toBe(true);
    expect([...after]).toEqual([...numbered(24_000 - after.length, after.length)]);
    expect(after.length).toBe(24_000 - Math.round(before.length / 2));
    expect(speaker.heard()).toBe(24_000);
    await speaker.end();
  });

  it('never hears less than before', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker(headset);
    let before = 0;
    for (let step = 0; step < 400; step += 1) {
      if (step % 7 === 0) speaker.write(numbered(0, 1500));
      if (step % 31 === 0) speaker.flush();
      if (step === 100) stage.driver.unplug('Headset');
      if (step === 250) stage.driver.plug(fakeHeadset);
      await stage.pass(10);
      const now = speaker.heard();
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
    await speaker.end();
  });

  it('keeps its volume from one device to the next', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker(headset);
    speaker.setVolume(0.3);
    stage.driver.unplug('Headset');
    await stage.pass(1000);
    expect(stage.driver.speakers.at(-1)?.volume).toBe(0.3);
    await speaker.end();
  });

  it('ducks on top of the volume, and neither loses the other', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker(headset);
    const volume = () => stage.driver.speakers.at(-1)?.volume;
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
