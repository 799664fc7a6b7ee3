import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { plainBase64 } from '../fakes/plain-codec.ts';
import { seeded } from '../fakes/seeded.ts';

const both = [
  { name: 'fake base64', base64: plainBase64 },
  { name: "Node's base64", base64: bufferBase64 },
];

const known = [
  ['', []],
  ['AA==', [0]],
  ['AAE=', [0, 1]],
  ['/+8A', [255, 239, 0]],
  ['TWFuIGlz', [77, 97, 110, 32, 105, 115]],
] as const;

describe.each(both)('the $name', ({ base64 }) => {
  it.each(known)('encodes and decodes %j', (text, bytes) => {
    expect(base64.encode(Uint8Array.from(bytes))).toBe(text);
    expect(base64.decode(text)).toEqual(Uint8Array.from(bytes));
  });

  it('round-trips any bytes, even from the middle of a longer array', () => {
    const random = seeded(3);
    const all = Uint8Array.from({ length: 20_000 }, () => random() * 256);
    for (const [start, end] of [
      [0, 20_000],
      [1, 19_999],
      [7, 16],
    ] as const) {
      const bytes = all.subarray(start, end);
      expect(base64.decode(base64.encode(bytes))).toEqual(bytes);
    }
  });

  it.each([
    ['too short', 'AAA'],
    ['padding in the middle', 'QQ==QUFB'],
    ['padding before the end', '=QQ='],
    ['too much padding', 'A==='],
    ['four padding characters', '===='],
    ['one padding character', '='],
    ['the minus of base64url', 'ab-c'],
    ['the underscore of base64url', 'ab_c'],
    ['a space', 'QU FB AA'],
    ['a line break', 'QUFB\nQUF'],
    ['blanks at the end', 'QUFB    '],
    ['a character whose low byte is a base64 digit', 'ŁUFB'],
    ['a Chinese character', 'QUF你'],
    ['an accented character', 'QUéB'],
    ['a null', 'QU\0B'],
    ['a data URL', 'data:audio/wav;base64,QUFB'],
  ])('refuses %s', (_name, text) => {
    expect(base64.decode(text)).toBeUndefined();
  });

  it('aligns decoded bytes for floats', () => {
    for (const length of [4, 8, 100, 6000]) {
      const decoded = base64.decode(base64.encode(new Uint8Array(length)));
      expect((decoded?.byteOffset ?? 1) % 4).toBe(0);
      expect(decoded?.buffer.byteLength).toBe(length);
    }
  });
});
