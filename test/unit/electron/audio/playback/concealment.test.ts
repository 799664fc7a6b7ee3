import { expect, it } from 'vitest';
import { Concealment } from '../../../../../electron/audio/playback/speaker-feed.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const rate = 24_000;
const ms = (count: number): number => (count * rate) / 1000;
const tone = (from: number, length: number): Float32Array =>
  Float32Array.from({ length }, (_, n) => 0.4 * Math.sin((2 * Math.PI * 150 * (from + n)) / rate));

function after(sound: Float32Array): Concealment {
  const concealment = new Concealment(rate);
  for (let at = 0; at < sound.length; at += 100) concealment.follow(sound.subarray(at, at + 100));
  concealment.begin();
  return concealment;
}

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

it('concealment adds neither sound to silence nor buzz to noise', () => {
  expect(after(new Float32Array(ms(100))).isOver).toBe(true);
  const random = seeded(9);
  const hiss = after(Float32Array.from({ length: ms(100) }, () => 0.2 * (random() - 0.5)));
  expect(hiss.isOver).toBe(false);
  hiss.next(ms(30));
  expect(hiss.isOver).toBe(true);
});

it('concealment estimates how much of a gap is concealed: most for a voice, little for noise, some for a pause', () => {
  const random = seeded(11);
  const hiss = Float32Array.from({ length: ms(100) }, () => 0.2 * (random() - 0.5));
  expect(after(tone(0, ms(100))).bridgeMs).toBe(80);
  expect(after(hiss).bridgeMs).toBe(30);
  expect(after(new Float32Array(ms(100))).bridgeMs).toBe(60);
});
