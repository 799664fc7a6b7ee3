import { describe, expect, it } from 'vitest';
import {
  decodeWav,
  encodeSamples,
  encodeWav,
  encodeWavHeader,
  readWavHeader,
  type WavEncoding,
} from '../../../../shared/audio/wav.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { seeded } from '../../../fakes/seeded.ts';

/** Parts of WAV files, for files that our encoder never writes. */
function bytesOf(...pieces: readonly (string | readonly number[])[]): number[] {
  return pieces.flatMap((piece) =>
    typeof piece === 'string' ? Array.from(piece, (letter) => letter.charCodeAt(0)) : piece,
  );
}

function shorts(...values: readonly number[]): number[] {
  return [...new Uint8Array(Int16Array.from(values).buffer)];
}

function longs(...values: readonly number[]): number[] {
  return [...new Uint8Array(Int32Array.from(values).buffer)];
}

function float32(...values: readonly number[]): number[] {
  return [...new Uint8Array(Float32Array.from(values).buffer)];
}

function float64(...values: readonly number[]): number[] {
  return [...new Uint8Array(Float64Array.from(values).buffer)];
}

interface Form {
  readonly tag?: number;
  readonly channels?: number;
  readonly rate?: number;
  readonly bits: number;
  readonly block?: number;
}

function fmt({ tag = 1, channels = 1, rate = 8000, bits, block }: Form): number[] {
  const size = block ?? (channels * bits) / 8;
  return bytesOf(shorts(tag, channels), longs(rate, rate * size), shorts(size, bits));
}

function chunk(tag: string, body: readonly number[]): number[] {
  return bytesOf(tag, longs(body.length), body, body.length % 2 === 1 ? [0] : []);
}

function riff(...chunks: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const body = chunks.flat();
  return Uint8Array.from(bytesOf('RIFF', longs(4 + body.length), 'WAVE', body));
}

const plain: WavEncoding = { rate: 16_000, channels: 1, coding: 'pcm16' };

describe('a WAV file written by Parley', () => {
  it('decodes to the same float32 samples, and within one step from 16 bits', () => {
    const random = seeded(1);
    const samples = Float32Array.from({ length: 999 }, () => random() * 2 - 1);
    const float = decodeWav(encodeWav(samples, { rate: 24_000, channels: 3, coding: 'float32' }));
    expect(float).toEqual({ ok: true, value: { rate: 24_000, channels: 3, samples } });
    const pcm = decodeWav(encodeWav(samples, plain));
    if (!pcm.ok) throw new Error(pcm.error.code);
    const worst = samples.reduce(
      (most, sample, index) => Math.max(most, Math.abs(sample - (pcm.value.samples[index] ?? 9))),
      0,
    );
    expect(worst).toBeLessThanOrEqual(1 / 32_768);
  });

  it('clips loud samples, and silences invalid ones', () => {
    const read = decodeWav(encodeWav(Float32Array.of(2, -2, Number.NaN, 1, -1), plain));
    const loudest = Math.fround(32_767 / 32_768);
    expect(read).toMatchObject({
      value: { samples: Float32Array.of(loudest, -1, 0, loudest, -1) },
    });
  });

  it('has a standard header', () => {
    expect([...encodeWavHeader(plain, 16_000)]).toEqual([
      ...bytesOf('RIFF', longs(36 + 32_000), 'WAVE', 'fmt ', longs(16), shorts(1, 1)),
      ...bytesOf(longs(16_000, 32_000), shorts(2, 16), 'data', longs(32_000)),
    ]);
    expect([...encodeWavHeader({ rate: 24_000, channels: 2, coding: 'float32' }, 4)]).toEqual([
      ...bytesOf('RIFF', longs(66), 'WAVE', 'fmt ', longs(18), shorts(3, 2)),
      ...bytesOf(longs(24_000, 192_000), shorts(8, 32, 0), 'fact', longs(4, 2), 'data', longs(16)),
    ]);
  });

  it('can be written in parts', () => {
    const samples = Float32Array.of(0.5, -0.5, 0.25, 0);
    const pieces = [samples.subarray(0, 1), samples.subarray(1)];
    for (const coding of ['pcm16', 'float32'] as const) {
      const form = { ...plain, coding };
      const data = pieces.flatMap((piece) => Array.from(encodeSamples(piece, coding)));
      expect([...encodeWavHeader(form, 4), ...data]).toEqual([...encodeWav(samples, form)]);
    }
  });

  it('has the largest possible length if the real one does not fit', () => {
    const header = encodeWavHeader(plain, 3_000_000_000);
    expect(new DataView(header.buffer).getUint32(4, true)).toBeGreaterThan(4_294_967_200);
  });
});

const extensible = [
  ...fmt({ tag: 0xff_fe, bits: 24 }),
  ...shorts(22, 20),
  ...longs(4),
  ...shorts(1),
  ...Array<number>(14).fill(0),
];
const twentyFour = [0, 0, 0x80, 0, 0, 0, 0, 0, 0x40, 0xff, 0xff, 0xff];

describe('a WAV file from elsewhere', () => {
  it.each([
    ['8 bits', fmt({ bits: 8 }), [0, 128, 192], [-1, 0, 0.5]],
    ['16 bits', fmt({ bits: 16 }), shorts(-32_768, 0, 16_384), [-1, 0, 0.5]],
    ['24 bits', fmt({ bits: 24 }), twentyFour, [-1, 0, 0.5, -1 / 8_388_608]],
    ['32 bits', fmt({ bits: 32 }), longs(-2_147_483_648, 0, 1_073_741_824), [-1, 0, 0.5]],
    ['float32', fmt({ tag: 3, bits: 32 }), float32(-1, 0, 0.5), [-1, 0, 0.5]],
    ['float64', fmt({ tag: 3, bits: 64 }), float64(-1, 0, 0.5), [-1, 0, 0.5]],
    ['invalid floats', fmt({ tag: 3, bits: 32 }), float32(Number.NaN, Infinity, 0.5), [0, 0, 0.5]],
    ['too large floats', fmt({ tag: 3, bits: 64 }), float64(1e300, 0.5), [0, 0.5]],
    ['an extensible header, 20 bits in 24', extensible, [0, 0, 0x40], [0.5]],
    ['12 bits in two bytes', fmt({ bits: 12, block: 2 }), shorts(16_384), [0.5]],
    ['a block size of zero', fmt({ bits: 16, block: 0 }), shorts(16_384), [0.5]],
  ])('is decoded: %s', (_name, form, data, samples) => {
    const file = riff(chunk('fmt ', form), chunk('data', data));
    expect(decodeWav(file)).toEqual({
      ok: true,
      value: { rate: 8000, channels: 1, samples: Float32Array.from(samples) },
    });
  });

  it('is decoded with unknown chunks, odd lengths and unaligned memory', () => {
    const file = riff(
      chunk('LIST', [1, 2, 3]),
      chunk('fmt ', fmt({ bits: 16, channels: 2 })),
      chunk('junk', []),
      chunk('data', shorts(16_384, -16_384)),
      chunk('LIST', [9]),
    );
    const shifted = new Uint8Array(file.length + 1);
    shifted.set(file, 1);
    expect(decodeWav(shifted.subarray(1))).toEqual({
      ok: true,
      value: { rate: 8000, channels: 2, samples: Float32Array.of(0.5, -0.5) },
    });
  });

  it.each([
    { name: 'zero', riffLength: 0, dataLength: 0 },
    { name: 'the largest number', riffLength: 0xff_ff_ff_ff, dataLength: 0xff_ff_ff_ff },
    { name: 'a mixture', riffLength: 0xff_ff_ff_ff, dataLength: 0 },
    { name: 'the length of the header alone', riffLength: 36, dataLength: 0 },
    { name: 'more than there is', riffLength: 1036, dataLength: 1000 },
  ])(
    'is read to its end if its writer stored $name as the length',
    ({ riffLength, dataLength }) => {
      const file = riff(
        chunk('fmt ', fmt({ bits: 16 })),
        chunk('data', [...shorts(16_384, 8192), 7]),
      );
      const view = new DataView(file.buffer);
      view.setUint32(4, riffLength, true);
      view.setUint32(40, dataLength, true);
      const cut = file.subarray(0, 49);
      expect(decodeWav(cut)).toMatchObject({ value: { samples: Float32Array.of(0.5, 0.25) } });
    },
  );

  it('has a header that can be read without the rest', () => {
    const head = readWavHeader(encodeWav(new Float32Array(1000), plain).subarray(0, 44), 2044);
    expect(head).toEqual({
      ok: true,
      value: {
        format: { rate: 16_000, channels: 1, coding: 'int', bytesPerSample: 2 },
        dataStart: 44,
        dataLength: 2000,
      },
    });
  });
});

describe('a malformed WAV file', () => {
  const sound = chunk('data', shorts(1, 2));
  const sixteen = chunk('fmt ', fmt({ bits: 16 }));
  const empty = chunk('data', []);
  const as = (form: Form) => riff(chunk('fmt ', fmt(form)), sound);
  const text = (words: string) => Uint8Array.from(bytesOf(words));

  it.each([
    ['an empty file', new Uint8Array(0), /^This file is empty\.$/],
    ['text', text('Dear diary, today…'), /^This is not a WAV file\.$/],
    ['four bytes', text('RIFF'), /not a WAV file/],
    ['no samples', riff(sixteen, empty), /holds no sound/],
    [
      'no samples before a chunk',
      riff(sixteen, empty, chunk('LIST', [1, 2, 3, 4])),
      /holds no sound/,
    ],
    ['no data chunk', riff(sixteen), /holds no sound/],
    ['half a frame', as({ bits: 16, channels: 4 }), /no sound/],
    ['no fmt chunk', riff(sound), /does not say how its sound is coded/],
    ['a short fmt chunk', riff(chunk('fmt ', [1, 0, 1, 0]), sound), /cut short/],
    ['a short extensible fmt chunk', as({ tag: 0xff_fe, bits: 16 }), /cut short/],
    ['µ-law', as({ tag: 7, bits: 8 }), /coded as µ-law. Convert/],
    ['an unknown coding', as({ tag: 999, bits: 8 }), /coded as number 999/],
    ['no channels', as({ bits: 16, channels: 0 }), /declares 0 channels/],
    ['no rate', as({ bits: 16, rate: 0 }), /sample rate of 0/],
    ['64 bit integers', as({ bits: 64 }), /64-bit samples are not supported/],
  ])('is rejected with a reason: %s', (_name, file, problem) => {
    const read = decodeWav(file);
    expect(read.ok ? 'no problem' : describeAppError(read.error)).toMatch(problem);
  });
});
