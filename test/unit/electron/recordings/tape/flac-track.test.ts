import { describe, expect, it } from 'vitest';
import { openTapeSound } from '../../../../../electron/recordings/tape/tape-sound.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { openFlacWriter } from '../../../../fixtures/flac-writer.ts';

const random = seeded(9);
const wave = (length: number, level = 0.4) =>
  Float32Array.from({ length }, (_none, n) => level * Math.sin(n / 7) + 0.002 * (random() - 0.5));
const noise = (length: number) => Float32Array.from({ length }, () => random() * 2 - 1);

const rounded = (samples: Float32Array) =>
  samples.map((sample) => {
    const short = Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
    return (short + 0) / 32_768;
  });

async function written(...parts: readonly Float32Array[]) {
  const files = new FakeFiles();
  files.putFolder('/t');
  const file = await files.create('/t/a.flac');
  if (!file.ok) throw new Error(file.error.code);
  const flac = openFlacWriter(file.value, { rate: 16_000, channels: 1 });
  for (const part of parts) flac.write(part);
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  expect(flac.samplesWritten).toBe(total);
  return { files, flac, bytes: () => files.bytes('/t/a.flac').slice() };
}

/** Compares bytes, because comparing number by number takes seconds. */
const same = (one: Float32Array, other: Float32Array) =>
  one.length === other.length &&
  Buffer.from(one.buffer, one.byteOffset, one.byteLength).equals(
    Buffer.from(other.buffer, other.byteOffset, other.byteLength),
  );

function read(files: FakeFiles) {
  const sound = openTapeSound('/t/a.flac', 'a.flac', files);
  if (!sound.ok) throw new Error(sound.error.code);
  const { samples } = sound.value;
  const part = (from: number, count: number) =>
    new Float32Array(sound.value.bytes(from, count).slice().buffer);
  return { samples, part, all: part(0, samples) };
}

describe('a FLAC file of a tape', () => {
  const kinds: Readonly<Record<string, Float32Array>> = {
    'a wave': wave(16_000),
    noise: noise(16_000),
    silence: new Float32Array(16_000),
    'what is too loud': wave(16_000, 3),
    'one that never changes': new Float32Array(5000).fill(-0.3),
    'a single sample': wave(1),
    'a handful': wave(21),
    'an odd length': wave(12_347),
    'loud and quiet by turns': wave(4096).map((sample, n) =>
      n % 512 < 256 ? sample : sample / 900,
    ),
    'the two ends of what there is': Float32Array.from(
      { length: 3000 },
      (_none, n) => (n % 2) * 2 - 1,
    ),
  };

  it.each(Object.entries(kinds))('decodes %s', async (_name, samples) => {
    const { files, flac } = await written(samples);
    await flac.finish();
    expect(same(read(files).all, rounded(samples))).toBe(true);
  });

  it('can be read from any position and is silent beyond its end', async () => {
    const parts = [wave(16_000), wave(3200), wave(7), noise(9000), wave(16_000)];
    const { files, flac } = await written(...parts);
    await flac.finish();
    const all = Float32Array.from(parts.flatMap((part) => Array.from(rounded(part))));
    const { part, samples } = read(files);
    expect(samples).toBe(all.length);
    for (let n = 0; n < 60; n += 1) {
      const from = Math.floor(random() * all.length);
      const count = Math.floor(random() * 9000);
      const expected = new Float32Array(count);
      expected.set(all.subarray(from, from + count));
      expect(same(part(from, count), expected)).toBe(true);
    }
  });

  it('is less than half as large as 16-bit WAV for quiet speech', async () => {
    const { bytes } = await written(wave(160_000, 0.05));
    expect(bytes().length).toBeLessThan(160_000);
  });

  it('loses at most one frame wherever it is cut', async () => {
    const { files, bytes } = await written(wave(8000), wave(8000), wave(8000));
    const [whole, all] = [bytes(), read(files).all];
    expect(all.length).toBe(24_000);
    let before = 24_000;
    for (let length = whole.length - 1; length > 42; length -= 611) {
      files.put('/t/a.flac', whole.subarray(0, length));
      const { all: left } = read(files);
      expect(before - left.length).toBeLessThanOrEqual(4096);
      expect(same(left, all.subarray(0, left.length))).toBe(true);
      before = left.length;
    }
    expect(before).toBeLessThanOrEqual(4096);
  });

  it('is silent for damaged or missing frames and continues after them', async () => {
    const { files, bytes } = await written(wave(4000), wave(4000), wave(4000), wave(4000));
    const [whole, all] = [bytes(), read(files).all];
    const places = [...whole.keys()].filter(
      (at) => whole[at] === 0xff && whole[at + 1] === 0xf9 && whole[at + 2] === 0x75,
    );
    expect(places).toHaveLength(4);
    const [, second = 0, third = 0] = places;
    const silent = all.slice();
    silent.fill(0, 4000, 8000);
    const changed = whole.slice();
    changed[second + 900] = (changed[second + 900] ?? 0) ^ 4;
    files.put('/t/a.flac', changed);
    expect(same(read(files).all, silent)).toBe(true);
    const zeros = whole.slice();
    zeros.fill(0, second, third);
    files.put('/t/a.flac', zeros);
    expect(same(read(files).all, silent)).toBe(true);
  });

  it('opens with any content', async () => {
    const { files, bytes } = await written(wave(8000), wave(8000));
    const whole = bytes();
    for (let round = 0; round < 40; round += 1) {
      const broken = whole.slice();
      for (let n = 0; n < 1 + round / 4; n += 1)
        broken[4 + Math.floor(random() * (broken.length - 4))] = Math.floor(random() * 256);
      files.put('/t/a.flac', broken);
      const sound = openTapeSound('/t/a.flac', 'a.flac', files);
      if (sound.ok) expect(sound.value.bytes(0, 16_000)).toHaveLength(64_000);
      else expect(['tapeSoundUnreadable', 'tapeSoundChanged']).toContain(sound.error.code);
    }
  });
});
