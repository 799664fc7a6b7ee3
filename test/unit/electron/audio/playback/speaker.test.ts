import { describe, expect, it } from 'vitest';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { fakeBuiltIn, fakeHeadset } from '../../../../fakes/fake-sound-driver.ts';
import { numbered, settle, SoundStage } from '../devices/sound-stage.ts';

const headset = { name: 'Headset' };

const heardSamples = (stage: SoundStage): number[] =>
  stage.driver.speakers.flatMap(({ sound }) => sound);

describe('a speaker', () => {
  it('plays, emits the device in use, and ends', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    speaker.write(numbered(0, 1000));
    expect(speaker.queued()).toBe(1000);
    await stage.pass(200);
    expect([speaker.heard(), speaker.queued()]).toEqual([1000, 0]);
    expect(heardSamples(stage)).toEqual([...numbered(0, 1000)]);
    expect(stage.kinds).toEqual(['Built-in']);
    expect(speaker.counters()).toMatchObject({ devices: 1, underruns: 1, repaired: 0 });
    await speaker.end();
    await speaker.end();
    expect(stage.driver.opened).toBe(0);
  });

  it('moves to the default within a second when its device dies, and emits that once', async () => {
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

  it('plays the queue on the next device, without loss or repetition', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker(headset);
    for (let at = 0; at < 48_000; at += 4800) speaker.write(numbered(at, 4800));
    await stage.pass(330);
    // The counters were not read since, so only the stream knows its last samples.
    stage.driver.unplug('Headset');
    await stage.pass(4000);
    expect(heardSamples(stage)).toEqual([...numbered(0, 48_000)]);
    expect([speaker.heard(), speaker.queued()]).toEqual([48_000, 0]);
    await speaker.end();
  });

  it('keeps sound that is written without a device', async () => {
    const stage = new SoundStage([]);
    const speaker = await stage.speaker('default');
    expect(stage.events).toEqual([{ kind: 'lost', error: appError('noSpeaker') }]);
    speaker.write(numbered(0, 500));
    speaker.setVolume(0.5);
    await stage.pass(5000);
    expect([speaker.heard(), speaker.queued(), stage.events.length]).toEqual([0, 500, 1]);
    stage.driver.plug(fakeBuiltIn);
    await stage.pass(1000);
    expect(heardSamples(stage)).toEqual([...numbered(0, 500)]);
    expect(stage.driver.speakers[0]?.volume).toBe(0.5);
    await speaker.end();
  });

  it('flushes without a device', async () => {
    const stage = new SoundStage([]);
    const speaker = await stage.speaker('default');
    speaker.write(numbered(0, 500));
    expect(speaker.flush()).toEqual({ heard: 0, dropped: 500, answer: 0 });
    stage.driver.plug(fakeBuiltIn);
    await stage.pass(1000);
    expect(heardSamples(stage)).toEqual([]);
    await speaker.end();
  });

  it('reports at a flush what will have been heard, and then plays new sound in full', async () => {
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
      // Sound inside the device has yet to be heard.
      expect(speaker.heard()).toBeLessThan(flushed.heard);
      await stage.pass(50);
      expect(speaker.heard()).toBe(flushed.heard);
      expect(speaker.flush()).toEqual({ heard: flushed.heard, dropped: 0, answer: 0 });
    }
    speaker.write(numbered(written, 1000));
    await stage.pass(300);
    expect(speaker.heard() + dropped).toBe(written + 1000);
    expect(heardSamples(stage).slice(-1000)).toEqual([...numbered(written, 1000)]);
    await speaker.end();
  });

  it('plays an answer longer than the ring', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    const seconds = 40;
    for (let second = 0; second < seconds; second += 1) {
      speaker.write(numbered(second * outputRate, outputRate));
    }
    await stage.pass(seconds * 1000 + 500);
    expect(speaker.heard()).toBe(seconds * outputRate);
    const sound = heardSamples(stage);
    expect(sound.every((sample, index) => sample === index + 1)).toBe(true);
    await speaker.end();
  });

  it('resamples for a device with its own rate, and counts at 24 kHz', async () => {
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
    // The resampler holds back the last samples.
    expect(last).toBeLessThanOrEqual(2401);
    expect(last).toBeGreaterThan(2401 - 50);
    await speaker.end();
  });

  it('loses nothing between a device of another rate and the next', async () => {
    const strange = { ...fakeHeadset, rate: 48_000, onlyItsRate: true };
    const stage = new SoundStage([fakeBuiltIn, strange]);
    const speaker = await stage.speaker(headset);
    speaker.write(numbered(0, 24_000));
    await stage.pass(300);
    stage.driver.unplug('Headset');
    await stage.pass(3000);
    const [first, next] = stage.driver.speakers;
    const [before = [], after = []] = [first?.sound, next?.sound];
    // The ramp continues at twice the rate where it was cut.
    expect(before.length).toBeGreaterThan(5000);
    expect(before.every((sample, at) => Math.abs(sample - (1 + at / 2)) < 0.1)).toBe(true);
    expect([...after]).toEqual([...numbered(24_000 - after.length, after.length)]);
    expect(after.length).toBe(24_000 - Math.round(before.length / 2));
    expect(speaker.heard()).toBe(24_000);
    await speaker.end();
  });

  it('never decreases its heard count', async () => {
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

  it('keeps its volume across devices', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker(headset);
    speaker.setVolume(0.3);
    stage.driver.unplug('Headset');
    await stage.pass(1000);
    expect(stage.driver.speakers.at(-1)?.volume).toBe(0.3);
    await speaker.end();
  });

  it('combines ducking and volume', async () => {
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
