import { describe, expect, it } from 'vitest';
import { soundFromWav } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { encodeWav } from '../../../../../shared/audio/wav.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';

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
    { what: 'nothing', file: new Uint8Array(), refused: failure('emptyFile') },
    {
      what: 'no sound',
      file: wav(1, 16, 1, 16_000, new Uint8Array()),
      refused: failure('wavEmpty'),
    },
    {
      what: 'too much',
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
