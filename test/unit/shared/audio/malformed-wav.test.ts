import { describe, expect, it } from 'vitest';
import { decodeWav, encodeWav } from '../../../../shared/audio/wav.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { bytesOf, chunk, fmt, problemOf, riff, shorts } from './wav-parts.ts';

describe('a malformed WAV file', () => {
  const sound = chunk('data', shorts(1, 2));
  it.each([
    { name: 'nothing', file: new Uint8Array(0), says: /^This file is empty\.$/ },
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
      name: 'no samples, but other chunks',
      file: riff(chunk('fmt ', fmt({ bits: 16 })), chunk('data', []), chunk('LIST', [1, 2, 3, 4])),
      says: /holds no sound/,
    },
    { name: 'no data', file: riff(chunk('fmt ', fmt({ bits: 16 }))), says: /holds no sound/ },
    {
      name: 'half a frame',
      file: riff(chunk('fmt ', fmt({ bits: 16, channels: 4 })), sound),
      says: /no sound/,
    },
    { name: 'no form', file: riff(sound), says: /does not say how its sound is coded/ },
    { name: 'a short form', file: riff(chunk('fmt ', [1, 0, 1, 0]), sound), says: /cut short/ },
    {
      name: 'a short extensible form',
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
