import { joinBytes } from '../../shared/collections.ts';
import type { Random } from '../../shared/ports/clock.ts';

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const below = (limit: number, random: Random): number => Math.floor(random() * limit);

const joined = (...parts: readonly Uint8Array[]): Uint8Array => joinBytes(parts);

/** A random place, which is in the first 96 bytes half of the time, because most headers are there. */
const place = (bytes: Uint8Array, random: Random): number =>
  below(random() < 0.5 ? Math.min(bytes.length, 96) : bytes.length, random);

const flip: Mutation = (bytes, random) => {
  const mutated = bytes.slice();
  for (let left = 1 + below(8, random); left > 0; left -= 1) {
    const at = place(bytes, random);
    mutated[at] = (mutated[at] ?? 0) ^ (1 << below(8, random));
  }
  return mutated;
};

const replace: Mutation = (bytes, random) => {
  const mutated = bytes.slice();
  mutated[place(bytes, random)] = below(256, random);
  return mutated;
};

const cut: Mutation = (bytes, random) => bytes.slice(0, below(bytes.length, random));

const drop: Mutation = (bytes, random) => {
  const at = place(bytes, random);
  return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + below(64, random)));
};

const double: Mutation = (bytes, random) => {
  const at = place(bytes, random);
  const end = Math.min(bytes.length, at + 1 + below(256, random));
  return joined(bytes.subarray(0, end), bytes.subarray(at));
};

/** Extreme values for sizes, channel counts and rates. */
const sizes = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7f_ff, 0xff_ff, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_ff,
];

const resize: Mutation = (bytes, random) => {
  const mutated = bytes.slice();
  const at = place(bytes, random);
  const size = sizes[below(sizes.length, random)] ?? 0;
  const view = new DataView(mutated.buffer);
  const little = random() < 0.5;
  if (at + 4 <= mutated.length && random() < 0.5) view.setUint32(at, size, little);
  else if (at + 2 <= mutated.length) view.setUint16(at, size & 0xff_ff, little);
  return mutated;
};

const splice: Mutation = (bytes, random, other) =>
  joined(bytes.subarray(0, place(bytes, random)), other.subarray(place(other, random)));

const zero: Mutation = (bytes, random) => {
  const at = place(bytes, random);
  return bytes.slice().fill(random() < 0.5 ? 0 : 0xff, at, at + 1 + below(512, random));
};

const mutations: readonly Mutation[] = [
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
  let mutated: Uint8Array = new Uint8Array(bytes);
  for (let left = 1 + below(3, random); left > 0 && mutated.length > 0; left -= 1)
    mutated = mutations[below(mutations.length, random)]?.(mutated, random, other) ?? mutated;
  return mutated;
}
