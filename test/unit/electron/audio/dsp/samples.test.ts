import { describe, expect, it } from 'vitest';
import {
  cleanSamples,
  emitSilence,
  fadeCurve,
  fadeIn,
} from '../../../../../electron/audio/dsp/samples.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import {
  LevelMeter,
  throttleSilence,
  type LevelReading,
} from '../../../../../electron/audio/dsp/loudness.ts';
import type { TalkLevel } from '../../../../../shared/talk/talk-view.ts';
import { soundFromWav } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { encodeWav } from '../../../../../shared/audio/wav.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';

it('cleanSamples replaces and counts invalid samples, and changes nothing else', () => {
  const random = seeded(8);
  const bad = [Number.NaN, Infinity, -Infinity];
  for (let round = 0; round < 100; round += 1) {
    let planted = 0;
    const expected: number[] = [];
    const block = Float32Array.from({ length: Math.floor(random() * 400) }, () => {
      const kind = Math.floor(random() * 12);
      planted += kind < 3 ? 1 : 0;
      const sample = Math.fround(random() * 8 - 4);
      expected.push(kind < 3 ? 0 : sample);
      return bad[kind] ?? sample;
    });
    expect(cleanSamples(block)).toBe(planted);
    expect([...block]).toEqual(expected);
    expect(cleanSamples(block)).toBe(0);
  }
});

it('emitSilence emits silence of the requested length', () => {
  const random = seeded(7);
  const lengths = [0, 1, 4095, 4096, 4097, 8192];
  for (let round = 0; round < 50; round += 1) lengths.push(Math.floor(random() * 40_000));
  for (const length of lengths) {
    let samples = 0;
    emitSilence(length, (block) => {
      expect(block.length).toBeGreaterThan(0);
      expect(block.every((sample) => sample === 0)).toBe(true);
      samples += block.length;
    });
    expect(samples).toBe(length);
  }
});

const ones = (length: number) => new Float32Array(length).fill(1);

describe('fadeIn and fadeCurve', () => {
  it('rise from silence without a step, and mirror the falling curve', () => {
    for (const length of [1, 2, 80, 120, 221]) {
      const curve = fadeCurve(length);
      expect(curve.length).toBe(length);
      for (let n = 0; n < length; n += 1) {
        const step = (curve[n] ?? 0) - (curve[n - 1] ?? 0);
        expect(step).toBeGreaterThan(0);
        if (length > 1) expect(step).toBeLessThanOrEqual(Math.PI / 2 / length + 1e-6);
        expect((curve[n] ?? 0) + (curve[length - 1 - n] ?? 0)).toBeCloseTo(1, 6);
      }
    }
  });

  it('change only the first 5 ms', () => {
    const block = ones(300);
    fadeIn(block, 16_000);
    expect(block.subarray(0, 80)).toEqual(fadeCurve(80));
    expect(block.subarray(80)).toEqual(ones(220));
  });
});

function measure(rate: number, ...blocks: readonly Float32Array[]): LevelReading[] {
  const readings: LevelReading[] = [];
  const meter = new LevelMeter(rate, (reading) => readings.push(reading));
  for (const block of blocks) meter.push(block);
  return readings;
}

const constant = (length: number, level: number) => new Float32Array(length).fill(level);

describe('LevelMeter', () => {
  it('measures a sine and a square wave', () => {
    const sine = Float32Array.from({ length: 800 }, (_, n) => Math.sin((2 * Math.PI * n) / 80) / 2);
    const [reading] = measure(16_000, sine);
    expect(reading?.rmsDb).toBeCloseTo(-9.03, 2);
    expect(reading?.peakDb).toBeCloseTo(-6.02, 2);
    const square = Float32Array.from({ length: 800 }, (_, n) => (n % 2 === 0 ? 1 : -1));
    expect(measure(16_000, square)).toEqual([
      { rmsDb: 0, halvesDb: [0, 0], peakDb: 0, clipped: 800 },
    ]);
  });

  it('measures both halves separately', () => {
    const block = constant(800, 0.1);
    block.fill(0.01, 400);
    const [reading] = measure(16_000, block);
    expect(reading?.halvesDb[0]).toBeCloseTo(-20, 4);
    expect(reading?.halvesDb[1]).toBeCloseTo(-40, 4);
    expect(reading?.rmsDb).toBeCloseTo(-22.97, 2);
    const begun = constant(800, 0);
    begun.fill(0.1, 400);
    expect(measure(16_000, begun)[0]?.halvesDb[0]).toBe(-100);
  });

  it('counts samples that a 16-bit converter clipped, on both sides', () => {
    const block = constant(800, 0.99);
    block.set([32_767 / 32_768, -1, 1, 1.5, -3, 32_766 / 32_768]);
    expect(measure(16_000, block)[0]?.clipped).toBe(5);
  });

  it('reads the same for any block size', () => {
    const random = seeded(9);
    for (let round = 0; round < 50; round += 1) {
      const rate = random() < 0.5 ? 16_000 : 24_000;
      const sound = Float32Array.from({ length: 12_000 }, () => random() * 2.2 - 1.1);
      const blocks: Float32Array[] = [];
      for (let from = 0; from < sound.length;) {
        const to = from + Math.floor(random() * 2000);
        blocks.push(sound.subarray(from, to));
        from = to;
      }
      expect(measure(rate, ...blocks)).toEqual(measure(rate, sound));
    }
  });

  it('reads finite numbers for any input', () => {
    const block = constant(800, 0.5);
    block.set([Number.NaN, Infinity, -Infinity]);
    const [reading] = measure(16_000, block);
    expect(reading?.rmsDb).toBeCloseTo(-6.04, 2);
    expect(reading?.clipped).toBe(0);
  });
});

it('throttleSilence forwards the first half second of silence, separately for each voice', () => {
  const emitted: string[] = [];
  const hear = throttleSilence(({ who, rmsDb }) => emitted.push(`${who} ${rmsDb}`));
  const say = (who: TalkLevel['who'], ...levels: readonly number[]): void => {
    for (const rmsDb of levels) hear({ who, rmsDb, peakDb: rmsDb });
  };
  const silence = Array.from({ length: 30 }, () => -100);
  say('you', -20, ...silence);
  say('parley', -30, -61);
  say('you', -75, -60, -100);
  const ten = silence.slice(0, 10).map((level) => `you ${level}`);
  expect(emitted).toEqual(['you -20', ...ten, 'parley -30', 'parley -61', 'you -60', 'you -100']);
});

const ramp = Float32Array.from({ length: 160 }, (_, n) => n / 320);

/** A WAV file of any sample width, written independently of the tested code. */
function wav(tag: number, bits: number, channels: number, rate: number, data: Uint8Array) {
  const file = new Uint8Array(44 + data.length);
  const view = new DataView(file.buffer);
  const text = (at: number, word: string) => file.set(new TextEncoder().encode(word), at);
  text(0, 'RIFF');
  view.setUint32(4, 36 + data.length, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, tag, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, (rate * channels * bits) / 8, true);
  view.setUint16(32, (channels * bits) / 8, true);
  view.setUint16(34, bits, true);
  text(36, 'data');
  view.setUint32(40, data.length, true);
  file.set(data, 44);
  return file;
}

const half: readonly { name: string; tag: number; bits: number; bytes: readonly number[] }[] = [
  { name: '8 bits', tag: 1, bits: 8, bytes: [192] },
  { name: '16 bits', tag: 1, bits: 16, bytes: [0, 64] },
  { name: '24 bits', tag: 1, bits: 24, bytes: [0, 0, 64] },
  { name: '32 bits', tag: 1, bits: 32, bytes: [0, 0, 0, 64] },
  { name: 'float', tag: 3, bits: 32, bytes: [0, 0, 0, 63] },
];

describe('soundFromWav', () => {
  it.each(half)('reads $name with two channels at another rate', ({ tag, bits, bytes }) => {
    const frames = Array.from({ length: 441 }, () => [...bytes, ...bytes]).flat();
    const sound = soundFromWav(wav(tag, bits, 2, 44_100, new Uint8Array(frames)), 16_000, 10);
    if (!sound.ok) throw new Error(sound.error.code);
    expect(sound.value.length).toBe(160);
    for (const sample of sound.value) expect(sample).toBeCloseTo(0.5, 5);
  });

  it('leaves a file in the target format unchanged', () => {
    const file = encodeWav(ramp, { rate: 16_000, channels: 1, coding: 'float32' });
    expect(soundFromWav(file, 16_000, 1)).toEqual({ ok: true, value: ramp });
  });

  it.each([
    {
      what: 'no WAV',
      file: new TextEncoder().encode('hello'),
      refused: failure('notWav'),
    },
    { what: 'an empty file', file: new Uint8Array(), refused: failure('emptyFile') },
    {
      what: 'a file without samples',
      file: wav(1, 16, 1, 16_000, new Uint8Array()),
      refused: failure('wavEmpty'),
    },
    {
      what: 'too much sound',
      file: wav(1, 8, 1, 8000, new Uint8Array(8000 * 31)),
      refused: failure('soundLong', { seconds: 31, most: 30 }),
    },
    {
      what: 'an impossible rate',
      file: wav(1, 8, 1, 3, new Uint8Array(8)),
      refused: failure('wavRate', { rate: 3 }),
    },
  ])('explains why it refuses $what', ({ file, refused }) => {
    expect(soundFromWav(file, 16_000, 30)).toEqual(refused);
  });
});
