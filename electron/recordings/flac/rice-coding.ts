import type { BitReader, BitWriter } from './flac-format.ts';

const maxPartitionOrder = 5;
const maxParameter = 14;
const escape = 15;

/** How the residual of a block is written: parts of the same length, each with a parameter of its own. */
export interface RicePlan {
  readonly order: number;
  readonly parameters: readonly number[];
  readonly bits: number;
}

/** Signed numbers as those without a sign: 0, −1, 1, −2… */
function folded(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

/** @param residual of a whole block, whose first numbers are those that the predictor begins with */
export function planRice(residual: Int32Array, predictorOrder: number): RicePlan {
  const { length } = residual;
  const finest = finestOrder(length, predictorOrder);
  let sums = sumsOf(residual, predictorOrder, finest);
  let best: RicePlan | undefined;
  for (let order = finest; order >= 0; order -= 1) {
    const plan = planParts(sums, order, length, predictorOrder);
    if (best === undefined || plan.bits < best.bits) best = plan;
    sums = sums.filter((_sum, n) => n % 2 === 0).map((sum, n) => sum + (sums[2 * n + 1] ?? 0));
  }
  const { order, parameters } = best ?? { order: 0, parameters: [0] };
  return { order, parameters, bits: exactBits(residual, predictorOrder, order, parameters) };
}

export function writeRice(
  bits: BitWriter,
  residual: Int32Array,
  predictorOrder: number,
  { order, parameters }: RicePlan,
): void {
  bits.write(0, 2);
  bits.write(order, 4);
  const partLength = residual.length >> order;
  for (const [part, parameter] of parameters.entries()) {
    bits.write(parameter, 4);
    const end = (part + 1) * partLength;
    for (let n = part === 0 ? predictorOrder : part * partLength; n < end; n += 1) {
      const value = folded(residual[n] ?? 0);
      bits.writeUnary(value >>> parameter);
      if (parameter > 0) bits.write(value, parameter);
    }
  }
}

/** Reads what stands in the place of a residual; false where it cannot be one. */
export function readRice(bits: BitReader, residual: Int32Array, predictorOrder: number): boolean {
  const method = bits.read(2);
  const order = bits.read(4);
  const partLength = residual.length >> order;
  if (method > 1 || partLength << order !== residual.length || partLength < predictorOrder)
    return false;
  const width = method === 0 ? 4 : 5;
  const coded = method === 0 ? escape : 31;
  for (let part = 0; part < 1 << order; part += 1) {
    const parameter = bits.read(width);
    const plain = parameter === coded ? bits.read(5) : undefined;
    const end = (part + 1) * partLength;
    for (let n = part === 0 ? predictorOrder : part * partLength; n < end; n += 1) {
      if (bits.overrun) return false;
      if (plain !== undefined) residual[n] = plain === 0 ? 0 : bits.readSigned(plain);
      else {
        const value = bits.readUnary() * 2 ** parameter + bits.read(parameter);
        residual[n] = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      }
    }
  }
  return true;
}

/** All parts have the same length, and the first has more numbers than the predictor begins with. */
function finestOrder(length: number, predictorOrder: number): number {
  let order = 0;
  while (
    order < maxPartitionOrder &&
    length % (2 << order) === 0 &&
    length >> (order + 1) > Math.max(predictorOrder, 32)
  )
    order += 1;
  return order;
}

function sumsOf(residual: Int32Array, predictorOrder: number, order: number): number[] {
  const partLength = residual.length >> order;
  const sums = Array.from({ length: 1 << order }, () => 0);
  for (const part of sums.keys()) {
    let sum = 0;
    const end = (part + 1) * partLength;
    for (let n = part === 0 ? predictorOrder : part * partLength; n < end; n += 1)
      sum += folded(residual[n] ?? 0);
    sums[part] = sum;
  }
  return sums;
}

/** Nearly as many bits as it will take, without looking at each number again. */
function planParts(
  sums: readonly number[],
  order: number,
  length: number,
  predictorOrder: number,
): RicePlan {
  let bits = 6;
  const parameters = sums.map((sum, part) => {
    const count = (length >> order) - (part === 0 ? predictorOrder : 0);
    let parameter = 0;
    while (parameter < maxParameter && count * 2 ** (parameter + 1) < sum) parameter += 1;
    bits += 4 + count * (parameter + 1) + sum / 2 ** parameter - (parameter > 0 ? count / 2 : 0);
    return parameter;
  });
  return { order, parameters, bits };
}

function exactBits(
  residual: Int32Array,
  predictorOrder: number,
  order: number,
  parameters: readonly number[],
): number {
  let bits = 6 + 4 * parameters.length;
  const partLength = residual.length >> order;
  for (const [part, parameter] of parameters.entries()) {
    const from = part === 0 ? predictorOrder : part * partLength;
    const end = (part + 1) * partLength;
    for (let n = from; n < end; n += 1) bits += folded(residual[n] ?? 0) >>> parameter;
    bits += (end - from) * (parameter + 1);
  }
  return bits;
}
