import { describe, expect, it, vi } from 'vitest';
import { SpeakerFeed } from '../../../../../electron/audio/playback/speaker-feed.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSpeaker } from '../../../../fakes/fake-speaker.ts';
import { rate } from './playback-harness.ts';

/** A feed in front of a fake speaker, with its emitted gaps and the device’s samples. */
function open() {
  const clock = new FakeClock();
  const speaker = new FakeSpeaker(clock, rate);
  const gaps: number[] = [];
  const feed = new SpeakerFeed({ rate, clock, speaker, onGap: (ms) => gaps.push(ms) });
  const written = vi.spyOn(speaker.buffer, 'write');
  const sounds = () => written.mock.calls.map(([, , sound]) => sound);
  return { clock, speaker, gaps, feed, sounds };
}

const samples = (ms: number): number => (ms * rate) / 1000;
const tone = (ms: number): Float32Array =>
  Float32Array.from({ length: samples(ms) }, (_, n) => 0.5 * Math.sin((Math.PI * n) / 20));
const silence = (ms: number): Float32Array => new Float32Array(samples(ms));

describe('a silence within a turn', () => {
  it('is reported with its length from the end of the sound', () => {
    const { clock, gaps, feed } = open();
    feed.play(silence(1200), 1, 0);
    clock.advance(2000);
    feed.play(tone(500), 1, 0);
    expect([gaps, feed.gapsOver20Ms]).toEqual([[800], 1]);
    expect([feed.concealmentEvents, feed.concealedSamples]).toEqual([0, 0]);
  });

  it('is shorter by the concealment', () => {
    const { clock, gaps, feed } = open();
    feed.play(tone(1200), 1, 0);
    clock.advance(2000);
    feed.play(tone(500), 1, 0);
    const madeUp = (feed.concealedSamples * 1000) / rate;
    expect(madeUp).toBeGreaterThan(100);
    expect(gaps).toHaveLength(1);
    expect(Math.abs((gaps[0] ?? 0) - (800 - madeUp))).toBeLessThan(25);
  });

  it('is not reported below 20 ms', () => {
    const { clock, gaps, feed } = open();
    feed.play(silence(1200), 1, 0);
    clock.advance(1220);
    feed.play(tone(500), 1, 0);
    expect([gaps, feed.gapsOver20Ms]).toEqual([[], 0]);
  });

  it('is not reported after a flush or the end of the turn', () => {
    const { clock, speaker, gaps, feed } = open();
    feed.play(tone(1200), 1, 0);
    speaker.flush();
    feed.stop();
    clock.advance(5000);
    feed.play(tone(1200), 2, 0);
    feed.endTurn();
    clock.advance(5000);
    feed.play(tone(1200), 3, 0);
    expect([gaps, feed.concealmentEvents]).toEqual([[], 0]);
  });
});

describe('a speaker feed', () => {
  it('writes sound unchanged at first and after a flush', () => {
    const { clock, speaker, feed, sounds } = open();
    feed.play(tone(300).subarray(10), 1, 0);
    speaker.flush();
    feed.stop();
    clock.advance(1000);
    feed.play(tone(300).subarray(10), 2, 0);
    expect(sounds()).toEqual([tone(300).subarray(10), tone(300).subarray(10)]);
  });

  it('fades in sound after concealment has died away', () => {
    const { clock, feed, sounds } = open();
    feed.play(tone(300), 1, 0);
    clock.advance(1000);
    const loud = new Float32Array(samples(100)).fill(0.5);
    feed.play(loud, 1, 0);
    const sound = sounds().at(-1);
    expect(sound?.[0]).toBeLessThan(0.01);
    expect(sound?.slice(samples(5))).toEqual(loud.slice(samples(5)));
  });

  it('conceals nothing while a device with enough sound pauses', () => {
    const { clock, speaker, feed } = open();
    feed.play(tone(1200), 1, 0);
    clock.advance(500);
    speaker.stop(true);
    clock.advance(3000);
    expect(feed.concealedSamples).toBe(0);
    speaker.stop(false);
    clock.advance(1000);
    expect(feed.concealmentEvents).toBe(1);
  });

  it('conceals after an error all the same', () => {
    const { clock, speaker, feed } = open();
    feed.play(tone(1200), 1, 0);
    vi.spyOn(speaker.buffer, 'insert').mockImplementationOnce(() => {
      throw new Error('a fault');
    });
    expect(() => {
      clock.advance(1200);
    }).toThrow('a fault');
    clock.advance(1000);
    expect(speaker.buffer.insertedHeard).toBeGreaterThan(samples(50));
  });
});
