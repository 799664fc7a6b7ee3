import { failure } from '../../../../shared/errors/app-error.ts';
import { describe, expect, it } from 'vitest';
import type { FlushableResampler } from '../../../../electron/adapters/resampler.ts';
import { openResampler } from '../../../../electron/adapters/resampler.ts';
import { seeded } from '../../../fakes/seeded.ts';

async function open(from: number, to: number): Promise<FlushableResampler> {
  const opened = await openResampler(from, to);
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

const sine = (hertz: number, rate: number, length: number) =>
  Float32Array.from({ length }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hertz * n) / rate));

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Compared as they are, for there are many. */
function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Everything that comes of a sound in blocks of up to so many samples. */
async function convert(sound: Float32Array, from: number, to: number, longest: number, seed = 1) {
  const random = seeded(seed);
  const converter = await open(from, to);
  const parts: Float32Array[] = [];
  for (let at = 0; at < sound.length;) {
    const end = at + Math.floor(random() * (longest + 1));
    parts.push(converter.convert(sound.subarray(at, end)));
    at = end;
  }
  parts.push(converter.flush());
  converter.close();
  return joined(parts);
}

function decibelsAboveNoise(got: Float32Array, wanted: Float32Array, skip: number): number {
  let signal = 0;
  let noise = 0;
  for (let n = skip; n < got.length - skip; n += 1) {
    signal += (wanted[n] ?? 0) ** 2;
    noise += ((got[n] ?? 0) - (wanted[n] ?? 0)) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

describe('the rate converter', () => {
  it.each([
    [44_100, 16_000],
    [48_000, 16_000],
    [24_000, 48_000],
    [24_000, 44_100],
  ])('keeps a tone clean, in time and in length from %i to %i Hz', async (from, to) => {
    for (const seed of [1, 2, 3]) {
      const got = await convert(sine(1000, from, from), from, to, 1500, seed);
      expect(got.length).toBe(to);
      expect(decibelsAboveNoise(got, sine(1000, to, to), to / 50)).toBeGreaterThan(90);
    }
  });

  it('converts blocks to what the whole is converted to, bit for bit', async () => {
    const random = seeded(5);
    const noise = Float32Array.from({ length: 40_000 }, () => random() * 2 - 1);
    for (const [from, to] of [
      [44_100, 16_000],
      [24_000, 48_000],
    ] as const) {
      const whole = await open(from, to);
      const wanted = joined([whole.convert(noise), whole.flush()]);
      whole.close();
      for (const longest of [97, 640, 3000]) {
        const got = await convert(noise, from, to, longest, longest);
        expect(Buffer.compare(bytesOf(got), bytesOf(wanted))).toBe(0);
      }
    }
  });

  it('takes part of a buffer for what it is, however long', async () => {
    const sound = sine(1000, 24_000, 2_400_000);
    sound.fill(0, 0, 1_200_000);
    const got = await convert(sound.subarray(1_200_000), 24_000, 48_000, 1_200_000, 3);
    expect(got.length).toBe(2_400_000);
    const wanted = sine(1000, 48_000, 2_400_000);
    expect(decibelsAboveNoise(got, wanted, 1000)).toBeGreaterThan(90);
  });

  it('keeps back no more than 5 ms of a live sound, and gives it up once', async () => {
    for (const [from, to] of [
      [44_100, 16_000],
      [24_000, 48_000],
    ] as const) {
      const converter = await open(from, to);
      const got = converter.convert(new Float32Array(from));
      expect(to - got.length).toBeLessThan(to / 200);
      expect(converter.flush().length).toBe(to - got.length);
      expect(converter.flush().length).toBe(0);
      converter.close();
    }
  });

  it('loses nothing of a sound that is shorter than its filter', async () => {
    const got = await convert(sine(1000, 24_000, 24), 24_000, 48_000, 10);
    expect(got.length).toBe(48);
    expect(got.reduce((most, x) => Math.max(most, x), 0)).toBeGreaterThan(0.4);
  });

  it.each([
    [192_000, 1000],
    [1000, 192_000],
    [11_025, 16_000],
  ])('is as long as it should be at the ends of what it takes: %i to %i Hz', async (from, to) => {
    const got = await convert(new Float32Array(from * 2), from, to, from);
    expect(got.length).toBe(to * 2);
  });

  it('lets nothing above the new half rate fold back', async () => {
    const got = await convert(sine(9500, 44_100, 44_100), 44_100, 16_000, 900);
    const loudest = got.slice(400, -400).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    expect(20 * Math.log10(loudest / 0.5)).toBeLessThan(-90);
  });

  it('copies where nothing is to be done', async () => {
    const converter = await open(16_000, 16_000);
    const block = new Float32Array([1, 2]);
    const got = converter.convert(block);
    expect(got).toEqual(block);
    expect(got).not.toBe(block);
    expect(converter.flush().length).toBe(0);
    converter.close();
  });

  it('begins anew when it is told to, as if it had just been made', async () => {
    const converter = await open(44_100, 16_000);
    const fresh = await open(44_100, 16_000);
    converter.convert(sine(1000, 44_100, 5000));
    converter.restart();
    const block = sine(300, 44_100, 5000);
    expect(converter.convert(block)).toEqual(fresh.convert(block));
    expect(converter.flush()).toEqual(fresh.flush());
    converter.close();
    fresh.close();
    expect(() => {
      converter.restart();
    }).not.toThrow();
  });

  it('is quiet after its end, and closes more than once', async () => {
    const converter = await open(24_000, 48_000);
    expect(converter.convert(new Float32Array()).length).toBe(0);
    expect(converter.flush().length).toBe(0);
    converter.close();
    converter.close();
    expect(converter.convert(new Float32Array(500)).length).toBe(0);
    expect(converter.flush().length).toBe(0);
  });

  it.each([0, 44_100.5, 500_000, Number.NaN])('refuses %d Hz', async (rate) => {
    expect(await openResampler(rate, 16_000)).toEqual(
      failure('rateUnsupported', { from: rate, to: 16_000 }),
    );
    expect((await openResampler(16_000, rate)).ok).toBe(false);
  });
});
