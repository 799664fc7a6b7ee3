import { describe, expect, it, vi } from 'vitest';
import { Concealment } from '../../../../../electron/audio/playback/concealment.ts';
import { SpeakerFeed } from '../../../../../electron/audio/playback/jitter-buffer.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSpeaker } from '../../../../fakes/fake-speaker.ts';
import { seeded } from '../../../../fakes/seeded.ts';
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
  it('writes sound unchanged at the start and after a flush', () => {
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
    // The given samples stay unchanged, because the recording uses them too.
    expect(loud[0]).toBe(0.5);
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

  it('still conceals the gap after an error', () => {
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

const ms = (count: number): number => (count * outputRate) / 1000;
/** A period of 100 Hz. Only this one of the lags that concealment searches repeats the sound. */
const period = 240;

function concealmentAfter(sound: Float32Array, piece = 100): Concealment {
  const concealment = new Concealment(outputRate);
  for (let at = 0; at < sound.length; at += piece)
    concealment.follow(sound.subarray(at, at + piece));
  concealment.begin();
  return concealment;
}

const wave = (length: number, loudness: (n: number) => number = () => 0.4): Float32Array =>
  Float32Array.from({ length }, (_, n) => loudness(n) * Math.sin((2 * Math.PI * n) / period));

const largest = (values: Float32Array): number => Math.max(...values.map(Math.abs));

function samplesUntilOver(concealment: Concealment): number {
  let count = 0;
  for (; !concealment.isOver && count < outputRate; count += 1) concealment.next(1);
  return count;
}

describe('concealment after a voice', () => {
  it('is as loud as the voice for 40 ms, and then fades for 100 ms', () => {
    const voice = wave(ms(100) + ms(140) + period);
    const made = concealmentAfter(voice.slice(0, ms(100))).next(ms(140));
    const gainAt = (at: number): number => {
      const part = (from: Float32Array, start: number) => from.slice(start, start + period);
      return largest(part(made, at)) / largest(part(voice, ms(100) + at));
    };
    for (const at of [0, ms(10), ms(30)]) expect(gainAt(at)).toBeCloseTo(1, 2);
    const falling = [0, 20, 40, 60, 80].map((each) => gainAt(ms(40 + each)));
    expect(falling).toEqual(falling.toSorted((one, other) => other - one));
    const middle = made.slice(ms(85), ms(95));
    expect(largest(middle)).toBeGreaterThan(0.15);
    expect(largest(middle)).toBeLessThan(0.25);
    expect(samplesUntilOver(concealmentAfter(voice.slice(0, ms(100))))).toBe(ms(140));
  });

  it('is the same for any block sizes', () => {
    const sound = wave(ms(100));
    const atOnce = concealmentAfter(sound, sound.length).next(ms(150));
    const concealment = concealmentAfter(sound, 7);
    const pieces = Array.from({ length: 10 }, () => [...concealment.next(ms(15))]).flat();
    expect(pieces).toEqual([...atOnce]);
  });

  it('continues a voice that was getting louder, and repeats its last period', () => {
    const sound = wave(ms(100) + period / 4, (n) => 0.1 * 1.2 ** (n / period));
    const made = concealmentAfter(sound).next(ms(40));
    const [last = 0, before = 0] = [sound.at(-1), sound.at(-2)];
    expect(made[0]).toBeCloseTo(2 * last - before, 5);
    const loop = sound.slice(-period);
    // The concealment fades into the start of the period, and later from its end to its start, over 2.5 ms each.
    expect(made.slice(60, 180)).toEqual(loop.slice(60, 180));
    expect((made[30] ?? 0) - (loop[30] ?? 0)).toBeCloseTo(
      (2 * last - before - (loop[0] ?? 0)) / 2,
      5,
    );
    expect(made.slice(300, 420)).toEqual(made.slice(60, 180));
    const steps = made.slice(1).map((sample, n) => sample - (made[n] ?? 0));
    expect(largest(steps)).toBeLessThan((1.3 * 0.65 * 2 * Math.PI) / period);
  });

  it('starts from the newest sound each time', () => {
    const sound = wave(ms(100));
    const concealment = concealmentAfter(sound);
    concealment.next(ms(200));
    concealment.follow(sound);
    concealment.begin();
    expect(concealment.next(ms(50))).toEqual(concealmentAfter(sound).next(ms(50)));
    concealment.follow(new Float32Array(ms(100)));
    concealment.begin();
    expect([concealment.isOver, concealment.next(3)]).toEqual([true, new Float32Array(3)]);
  });
});

it('concealment after noise fades at once, within 30 ms', () => {
  const random = seeded(9);
  const noise = Float32Array.from({ length: ms(100) }, () => 0.4 * (random() - 0.5));
  const made = concealmentAfter(noise).next(ms(30));
  const loudness = (from: number, until: number): number =>
    Math.sqrt(made.slice(ms(from), ms(until)).reduce((sum, one) => sum + one * one, 0));
  expect(loudness(0, 5)).toBeGreaterThan(loudness(13, 18) * 1.5);
  expect(loudness(25, 30)).toBeLessThan(loudness(0, 5) * 0.15);
  expect(samplesUntilOver(concealmentAfter(noise))).toBe(ms(30));
});

const toneFrom = (from: number, length: number): Float32Array =>
  Float32Array.from(
    { length },
    (_, n) => 0.4 * Math.sin((2 * Math.PI * 150 * (from + n)) / outputRate),
  );

it('concealment begins without a step at any cut', () => {
  const random = seeded(8);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const sound = toneFrom(Math.floor(random() * 1000), ms(60));
    const [first = 0] = concealmentAfter(sound).next(1);
    expect(Math.abs(first - (sound.at(-1) ?? 0))).toBeLessThan(0.03);
  }
});

it('concealment begins without a step after unvoiced sound', () => {
  const random = seeded(10);
  let last = 0;
  const rumble = Float32Array.from({ length: ms(100) }, () => {
    last = 0.97 * last + 0.1 * (random() - 0.5);
    return last;
  });
  for (let cut = 0; cut < 20; cut += 1) {
    const [first = 0] = concealmentAfter(rumble.subarray(0, ms(60) + cut * 37)).next(1);
    expect(Math.abs(first - (rumble[ms(60) + cut * 37 - 1] ?? 0))).toBeLessThan(0.06);
  }
});

it('concealment estimates how much of a gap is concealed: most for a voice, little for noise, some for a pause', () => {
  const random = seeded(11);
  const hiss = Float32Array.from({ length: ms(100) }, () => 0.2 * (random() - 0.5));
  expect(concealmentAfter(toneFrom(0, ms(100))).bridgeMs).toBe(80);
  expect(concealmentAfter(hiss).bridgeMs).toBe(30);
  expect(concealmentAfter(new Float32Array(ms(100))).bridgeMs).toBe(60);
});
