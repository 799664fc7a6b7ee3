import { expect, it } from 'vitest';
import { decodePcm } from '../../../../shared/protocol/base64-media.ts';

/** The bytes of 0.5 and −0.25, at any offset in a larger buffer. */
function bytesAt(place: number): Uint8Array {
  const bytes = new Uint8Array(new ArrayBuffer(place + 12), place, 8);
  bytes.set(new Uint8Array(Float32Array.of(0.5, -0.25).buffer));
  return bytes;
}

it.each([1, 2, 3, 7])('sound at offset %i, where no float may start, is read', (place) => {
  expect(decodePcm(bytesAt(place))).toEqual({ audio: Float32Array.of(0.5, -0.25) });
});

it.each([0, 4])('sound at the aligned offset %i is not copied', (place) => {
  const bytes = bytesAt(place);
  const audio = decodePcm(bytes)?.audio;
  expect(audio).toEqual(Float32Array.of(0.5, -0.25));
  expect(audio?.buffer).toBe(bytes.buffer);
});

it('bytes after the sound are not changed', () => {
  const bytes = bytesAt(0);
  const behind = new Float32Array(bytes.buffer, 8, 1);
  behind[0] = Infinity;
  decodePcm(bytes);
  expect(behind[0]).toBe(Infinity);
});
