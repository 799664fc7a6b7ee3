import { joinBytes } from '../../electron/vision/prepare-frame.ts';
import type { Random } from '../../shared/ports/clock.ts';

type Way = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const below = (most: number, random: Random): number => Math.floor(random() * most);

const joined = (...parts: readonly Uint8Array[]): Uint8Array => joinBytes(parts);

/** Prefers the start, where most headers are. */
const place = (bytes: Uint8Array, random: Random): number =>
  below(random() < 0.5 ? Math.min(bytes.length, 96) : bytes.length, random);

const flip: Way = (bytes, random) => {
  const spoilt = bytes.slice();
  for (let left = 1 + below(8, random); left > 0; left -= 1) {
    const at = place(bytes, random);
    spoilt[at] = (spoilt[at] ?? 0) ^ (1 << below(8, random));
  }
  return spoilt;
};

const replace: Way = (bytes, random) => {
  const spoilt = bytes.slice();
  spoilt[place(bytes, random)] = below(256, random);
  return spoilt;
};

const cut: Way = (bytes, random) => bytes.slice(0, below(bytes.length, random));

const drop: Way = (bytes, random) => {
  const at = place(bytes, random);
  return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + below(64, random)));
};

const double: Way = (bytes, random) => {
  const at = place(bytes, random);
  const end = Math.min(bytes.length, at + 1 + below(256, random));
  return joined(bytes.subarray(0, end), bytes.subarray(at));
};

/** Invalid sizes, channel counts and rates. */
const sizes = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7f_ff, 0xff_ff, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_ff,
];

const resize: Way = (bytes, random) => {
  const spoilt = bytes.slice();
  const at = place(bytes, random);
  const size = sizes[below(sizes.length, random)] ?? 0;
  const view = new DataView(spoilt.buffer);
  const little = random() < 0.5;
  if (at + 4 <= spoilt.length && random() < 0.5) view.setUint32(at, size, little);
  else if (at + 2 <= spoilt.length) view.setUint16(at, size & 0xff_ff, little);
  return spoilt;
};

const splice: Way = (bytes, random, other) =>
  joined(bytes.subarray(0, place(bytes, random)), other.subarray(place(other, random)));

const zero: Way = (bytes, random) => {
  const at = place(bytes, random);
  return bytes.slice().fill(random() < 0.5 ? 0 : 0xff, at, at + 1 + below(512, random));
};

const ways: readonly Way[] = [
  flip,
  replace,
  replace,
  cut,
  drop,
  double,
  resize,
  resize,
  splice,
  zero,
];

/** Corrupts bytes as a bad disk, a broken program or an attacker might. */
export function mutateBytes(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  // A copy, because the bytes may be a slice of Node's buffer pool.
  let spoilt: Uint8Array = new Uint8Array(bytes);
  for (let left = 1 + below(3, random); left > 0 && spoilt.length > 0; left -= 1)
    spoilt = ways[below(ways.length, random)]?.(spoilt, random, other) ?? spoilt;
  return spoilt;
}
