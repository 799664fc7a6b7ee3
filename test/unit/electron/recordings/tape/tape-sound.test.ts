import { beforeEach, describe, expect, it } from 'vitest';
import {
  openTapeSound,
  openWavWriter,
  type WavWriterOptions,
} from '../../../../../electron/recordings/tape/tape.ts';
import { decodeWav } from '../../../../../shared/audio/wav.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { openFlacWriter } from '../../../../fixtures/flac-writer.ts';

describe('a growing WAV file', () => {
  let files: FakeFiles;

  beforeEach(() => {
    files = new FakeFiles();
    files.putFolder('/d');
  });

  async function openWav(coding: WavWriterOptions['coding']) {
    const file = await files.create('/d/a.wav');
    if (!file.ok) throw new Error(file.error.code);
    return openWavWriter(file.value, { rate: 1000, coding });
  }

  const decodeFile = () => {
    const wav = decodeWav(files.bytes('/d/a.wav'));
    if (!wav.ok) throw new Error(wav.error.code);
    return wav.value;
  };

  it('has a header that is at most one second behind', async () => {
    const writer = await openWav('pcm16');
    writer.write(new Float32Array(700).fill(0.5));
    writer.write(new Float32Array(700).fill(0.5));
    expect(decodeFile().samples.length).toBe(1400);
    writer.write(new Float32Array(999).fill(0.25));
    expect(decodeFile().samples.length).toBe(1400);
    await writer.finish();
    expect(decodeFile().samples.length).toBe(2399);
    expect(decodeFile().samples.at(-1)).toBe(0.25);
    expect(writer.samplesWritten).toBe(2399);
  });

  it('reports a full disk when it is finished', async () => {
    const writer = await openWav('pcm16');
    files.fill(10);
    writer.write(new Float32Array(100));
    expect(await writer.finish()).toEqual(failure('diskFull', { path: '/d/a.wav' }));
  });
});

const random = seeded(9);
const wave = (length: number, level = 0.4) =>
  Float32Array.from({ length }, (_none, n) => level * Math.sin(n / 7) + 0.002 * (random() - 0.5));
const noise = (length: number) => Float32Array.from({ length }, () => random() * 2 - 1);

/** The samples as FLAC stores them, with 16 bits. */
const rounded = (samples: Float32Array) =>
  samples.map((sample) => {
    const short = Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
    return (short + 0) / 32_768;
  });

async function encode(...parts: readonly Float32Array[]) {
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
const areEqual = (one: Float32Array, other: Float32Array) =>
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
    'a wave that is too loud': wave(16_000, 3),
    'a single sample': wave(1),
    'an odd length': wave(12_347),
    'alternating loud and quiet': wave(4096).map((sample, n) =>
      n % 512 < 256 ? sample : sample / 900,
    ),
  };

  it.each(Object.entries(kinds))('decodes %s', async (_name, samples) => {
    const { files, flac } = await encode(samples);
    await flac.finish();
    expect(areEqual(read(files).all, rounded(samples))).toBe(true);
  });

  it('loses at most one frame wherever it is cut', async () => {
    const { files, bytes } = await encode(wave(8000), wave(8000), wave(8000));
    const [encoded, all] = [bytes(), read(files).all];
    expect(all.length).toBe(24_000);
    let before = 24_000;
    for (let length = encoded.length - 1; length > 42; length -= 611) {
      files.put('/t/a.flac', encoded.subarray(0, length));
      const { all: left } = read(files);
      expect(before - left.length).toBeLessThanOrEqual(4096);
      expect(areEqual(left, all.subarray(0, left.length))).toBe(true);
      before = left.length;
    }
    expect(before).toBeLessThanOrEqual(4096);
  });

  it('is silent for damaged or missing frames and continues after them', async () => {
    const { files, bytes } = await encode(wave(4000), wave(4000), wave(4000), wave(4000));
    const [encoded, all] = [bytes(), read(files).all];
    const places = [...encoded.keys()].filter(
      (at) => encoded[at] === 0xff && encoded[at + 1] === 0xf9 && encoded[at + 2] === 0x75,
    );
    expect(places).toHaveLength(4);
    const [, second = 0, third = 0] = places;
    const silent = all.slice();
    silent.fill(0, 4000, 8000);
    const changed = encoded.slice();
    changed[second + 900] = (changed[second + 900] ?? 0) ^ 4;
    files.put('/t/a.flac', changed);
    expect(areEqual(read(files).all, silent)).toBe(true);
    const zeros = encoded.slice();
    zeros.fill(0, second, third);
    files.put('/t/a.flac', zeros);
    expect(areEqual(read(files).all, silent)).toBe(true);
  });

  it('opens or is refused with any content', async () => {
    const { files, bytes } = await encode(wave(8000), wave(8000));
    const encoded = bytes();
    for (let round = 0; round < 40; round += 1) {
      const broken = encoded.slice();
      for (let n = 0; n < 1 + round / 4; n += 1)
        broken[4 + Math.floor(random() * (broken.length - 4))] = Math.floor(random() * 256);
      files.put('/t/a.flac', broken);
      const sound = openTapeSound('/t/a.flac', 'a.flac', files);
      if (sound.ok) expect(sound.value.bytes(0, 16_000)).toHaveLength(64_000);
      else expect(['tapeSoundUnreadable', 'tapeSoundChanged']).toContain(sound.error.code);
    }
  });
});
