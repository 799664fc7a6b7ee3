import { describe, expect, it } from 'vitest';
import {
  decodeWav,
  encodeSamples,
  encodeWav,
  encodeWavHeader,
  readWavHeader,
  type WavEncoding,
} from '../../../../shared/audio/wav.ts';
import { seeded } from '../../../fakes/seeded.ts';
import {
  bytesOf,
  chunk,
  float32,
  float64,
  fmt,
  longs,
  problemOf,
  riff,
  shorts,
} from './wav-parts.ts';

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

  it('has the largest length if the real one does not fit', () => {
    const header = encodeWavHeader(plain, 3_000_000_000);
    expect(new DataView(header.buffer).getUint32(4, true)).toBeGreaterThan(4_294_967_200);
  });
});

const codings = [
  { name: '8 bits', fmt: fmt({ bits: 8 }), data: [0, 128, 192], samples: [-1, 0, 0.5] },
  {
    name: '16 bits',
    fmt: fmt({ bits: 16 }),
    data: shorts(-32_768, 0, 16_384),
    samples: [-1, 0, 0.5],
  },
  {
    name: '24 bits',
    fmt: fmt({ bits: 24 }),
    data: [0, 0, 0x80, 0, 0, 0, 0, 0, 0x40, 0xff, 0xff, 0xff],
    samples: [-1, 0, 0.5, -1 / 8_388_608],
  },
  {
    name: '32 bits',
    fmt: fmt({ bits: 32 }),
    data: longs(-2_147_483_648, 0, 1_073_741_824),
    samples: [-1, 0, 0.5],
  },
  {
    name: 'float32',
    fmt: fmt({ tag: 3, bits: 32 }),
    data: float32(-1, 0, 0.5),
    samples: [-1, 0, 0.5],
  },
  {
    name: 'float64',
    fmt: fmt({ tag: 3, bits: 64 }),
    data: float64(-1, 0, 0.5),
    samples: [-1, 0, 0.5],
  },
  {
    name: 'float32 with invalid samples',
    fmt: fmt({ tag: 3, bits: 32 }),
    data: float32(Number.NaN, Number.POSITIVE_INFINITY, 0.5),
    samples: [0, 0, 0.5],
  },
  {
    name: 'float64 too large for 32 bits',
    fmt: fmt({ tag: 3, bits: 64 }),
    data: float64(1e300, 0.5),
    samples: [0, 0.5],
  },
  {
    name: 'an extensible header, 20 bits in 24',
    fmt: [
      ...fmt({ tag: 0xff_fe, bits: 24 }),
      ...shorts(22, 20),
      ...longs(4),
      ...shorts(1),
      ...Array<number>(14).fill(0),
    ],
    data: [0, 0, 0x40],
    samples: [0.5],
  },
  {
    name: '12 bits in two bytes',
    fmt: fmt({ bits: 12, block: 2 }),
    data: shorts(16_384),
    samples: [0.5],
  },
  {
    name: 'a block size of zero',
    fmt: fmt({ bits: 16, block: 0 }),
    data: shorts(16_384),
    samples: [0.5],
  },
] as const;

describe('a WAV file from elsewhere', () => {
  it.each(codings)('is decoded: $name', ({ fmt: form, data, samples }) => {
    const file = riff(chunk('fmt ', form), chunk('data', [...data]));
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
  ])('is read to its end if its writer left $name as length', ({ riffLength, dataLength }) => {
    const file = riff(
      chunk('fmt ', fmt({ bits: 16 })),
      chunk('data', [...shorts(16_384, 8192), 7]),
    );
    const view = new DataView(file.buffer);
    view.setUint32(4, riffLength, true);
    view.setUint32(40, dataLength, true);
    const cut = file.subarray(0, 49);
    expect(decodeWav(cut)).toMatchObject({ value: { samples: Float32Array.of(0.5, 0.25) } });
  });

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
  it.each([
    { name: 'an empty file', file: new Uint8Array(0), says: /^This file is empty\.$/ },
    {
      name: 'text',
      file: Uint8Array.from(bytesOf('Dear diary, today…')),
      says: /^This is not a WAV file\.$/,
    },
    { name: 'four bytes', file: Uint8Array.from(bytesOf('RIFF')), says: /not a WAV file/ },
    {
      name: 'no samples',
      file: riff(chunk('fmt ', fmt({ bits: 16 })), chunk('data', [])),
      says: /holds no sound/,
    },
    {
      name: 'no samples before another chunk',
      file: riff(chunk('fmt ', fmt({ bits: 16 })), chunk('data', []), chunk('LIST', [1, 2, 3, 4])),
      says: /holds no sound/,
    },
    { name: 'no data chunk', file: riff(chunk('fmt ', fmt({ bits: 16 }))), says: /holds no sound/ },
    {
      name: 'half a frame',
      file: riff(chunk('fmt ', fmt({ bits: 16, channels: 4 })), sound),
      says: /no sound/,
    },
    { name: 'no fmt chunk', file: riff(sound), says: /does not say how its sound is coded/ },
    {
      name: 'a short fmt chunk',
      file: riff(chunk('fmt ', [1, 0, 1, 0]), sound),
      says: /cut short/,
    },
    {
      name: 'a short extensible fmt chunk',
      file: riff(chunk('fmt ', fmt({ tag: 0xff_fe, bits: 16 })), sound),
      says: /cut short/,
    },
    {
      name: 'µ-law',
      file: riff(chunk('fmt ', fmt({ tag: 7, bits: 8 })), sound),
      says: /coded as µ-law. Convert/,
    },
    {
      name: 'an unknown coding',
      file: riff(chunk('fmt ', fmt({ tag: 999, bits: 8 })), sound),
      says: /coded as number 999/,
    },
    {
      name: 'no channels',
      file: riff(chunk('fmt ', fmt({ bits: 16, channels: 0 })), sound),
      says: /declares 0 channels/,
    },
    {
      name: 'no rate',
      file: riff(chunk('fmt ', fmt({ bits: 16, rate: 0 })), sound),
      says: /sample rate of 0/,
    },
    {
      name: '64 bit integers',
      file: riff(chunk('fmt ', fmt({ bits: 64 })), sound),
      says: /64-bit samples are not supported/,
    },
  ])('is rejected with a reason: $name', ({ file, says }) => {
    expect(problemOf(decodeWav(file))).toMatch(says);
  });

  it('never makes the decoder throw, for random bytes', () => {
    const random = seeded(2);
    const good = encodeWav(Float32Array.of(0.1, 0.2, 0.3), {
      rate: 16_000,
      channels: 1,
      coding: 'float32',
    });
    for (let round = 0; round < 20_000; round += 1) {
      const bytes = good.slice(0, Math.floor(random() * (good.length + 1)));
      for (let flips = 0; flips < 4; flips += 1) {
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      }
      const read = decodeWav(bytes);
      if (read.ok) expect(read.value.samples.length).toBeGreaterThan(0);
    }
  });
});
