import { describe, expect, it } from 'vitest';
import { Concealment } from '../../../../../electron/audio/playback/speaker-feed.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const rate = 24_000;
const ms = (count: number): number => (count * rate) / 1000;
/** A period of 100 Hz; no other lag repeats. */
const period = 240;

function after(sound: Float32Array, piece = 100): Concealment {
  const concealment = new Concealment(rate);
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
  for (; !concealment.isOver && count < rate; count += 1) concealment.next(1);
  return count;
}

describe('concealment after a voice', () => {
  it('is as loud as the voice for 40 ms, and falls evenly for 100 ms', () => {
    const voice = wave(ms(100) + ms(140) + period);
    const made = after(voice.slice(0, ms(100))).next(ms(140));
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
    expect(samplesUntilOver(after(voice.slice(0, ms(100))))).toBe(ms(140));
  });

  it('is the same for any block sizes', () => {
    const sound = wave(ms(100));
    const atOnce = after(sound, sound.length).next(ms(150));
    const concealment = after(sound, 7);
    const pieces = Array.from({ length: 10 }, () => [...concealment.next(ms(15))]).flat();
    expect(pieces).toEqual([...atOnce]);
  });

  it('continues a voice that was getting louder, and repeats its last period', () => {
    const sound = wave(ms(100) + period / 4, (n) => 0.1 * 1.2 ** (n / period));
    const made = after(sound).next(ms(40));
    const [last = 0, before = 0] = [sound.at(-1), sound.at(-2)];
    expect(made[0]).toBeCloseTo(2 * last - before, 5);
    const loop = sound.slice(-period);
    // It fades into the period’s start over 2.5 ms, and from its end into its start over the same time.
    expect(made.slice(60, 180)).toEqual(loop.slice(60, 180));
    expect((made[30] ?? 0) - (loop[30] ?? 0)).toBeCloseTo(
      (2 * last - before - (loop[0] ?? 0)) / 2,
      5,
    );
    expect(made.slice(300, 420)).toEqual(made.slice(60, 180));
    const steps = made.slice(1).map((sample, n) => sample - (made[n] ?? 0));
    expect(largest(steps)).toBeLessThan((1.3 * 0.65 * 2 * Math.PI) / period);
  });

  it('restarts each time', () => {
    const sound = wave(ms(100));
    const concealment = after(sound);
    concealment.next(ms(200));
    concealment.follow(sound);
    concealment.begin();
    expect(concealment.next(ms(50))).toEqual(after(sound).next(ms(50)));
    concealment.follow(new Float32Array(ms(100)));
    concealment.begin();
    expect([concealment.isOver, concealment.next(3)]).toEqual([true, new Float32Array(3)]);
  });
});

it('concealment after noise falls at once, for 30 ms', () => {
  const random = seeded(9);
  const noise = Float32Array.from({ length: ms(100) }, () => 0.4 * (random() - 0.5));
  const made = after(noise).next(ms(30));
  const loudness = (from: number, until: number): number =>
    Math.sqrt(made.slice(ms(from), ms(until)).reduce((sum, one) => sum + one * one, 0));
  expect(loudness(0, 5)).toBeGreaterThan(loudness(13, 18) * 1.5);
  expect(loudness(25, 30)).toBeLessThan(loudness(0, 5) * 0.15);
  expect(samplesUntilOver(after(noise))).toBe(ms(30));
});

const tone = (from: number, length: number): Float32Array =>
  Float32Array.from({ length }, (_, n) => 0.4 * Math.sin((2 * Math.PI * 150 * (from + n)) / rate));

it('concealment continues the wave and then fades', () => {
  const concealment = after(tone(0, ms(100)));
  const made = concealment.next(ms(40));
  const real = tone(ms(100), ms(40));
  const off = made.map((sample, n) => Math.abs(sample - (real[n] ?? 0)));
  expect(Math.max(...off)).toBeLessThan(0.03);
  const falling = concealment.next(ms(100));
  expect(Math.max(...falling.subarray(0, ms(20)))).toBeGreaterThan(0.3);
  expect(Math.max(...falling.subarray(ms(90)))).toBeLessThan(0.02);
  expect(concealment.isOver).toBe(true);
  expect(concealment.next(5)).toEqual(new Float32Array(5));
});

it('concealment begins without a step at any cut', () => {
  const random = seeded(8);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const sound = tone(Math.floor(random() * 1000), ms(60));
    const [first = 0] = after(sound).next(1);
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
    const [first = 0] = after(rumble.subarray(0, ms(60) + cut * 37)).next(1);
    expect(Math.abs(first - (rumble[ms(60) + cut * 37 - 1] ?? 0))).toBeLessThan(0.06);
  }
});

it('concealment estimates how much of a gap is concealed: most for a voice, little for noise, some for a pause', () => {
  const random = seeded(11);
  const hiss = Float32Array.from({ length: ms(100) }, () => 0.2 * (random() - 0.5));
  expect(after(tone(0, ms(100))).bridgeMs).toBe(80);
  expect(after(hiss).bridgeMs).toBe(30);
  expect(after(new Float32Array(ms(100))).bridgeMs).toBe(60);
});
