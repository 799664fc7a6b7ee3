/** Predicts each sample of those before it; a sum of products, shifted down. */
export interface LinearPrediction {
  /** For the sample before, the one before that, and so on. */
  readonly coefficients: readonly number[];
  readonly shift: number;
  /** How many bits each of them takes. */
  readonly precision: number;
}

/** So many bits that no sum of 16-bit samples is longer than 32: every reader can follow. */
const precision = 12;
const maxShift = 15;

/** The predictor of an order that leaves least of a block; nothing where the block has nothing to predict by. */
export function fitPrediction(samples: Int32Array, order: number): LinearPrediction | undefined {
  const correlation = autocorrelation(samples, order);
  const solved = solve(correlation, order);
  if (solved === undefined) return undefined;
  const largest = Math.max(...solved.map((value) => Math.abs(value)));
  if (!(largest > 0)) return undefined;
  // One bit is the sign's.
  const shift = Math.min(maxShift, precision - 2 - Math.floor(Math.log2(largest)));
  if (shift < 0) return undefined;
  const limit = 2 ** (precision - 1);
  let carried = 0;
  const coefficients = solved.map((value) => {
    // What rounding takes from one goes to the next.
    const wanted = value * 2 ** shift + carried;
    const rounded = Math.max(-limit, Math.min(limit - 1, Math.round(wanted)));
    carried = wanted - rounded;
    return rounded;
  });
  return { coefficients, shift, precision };
}

/** Of the block faded in and out, as whatever lies beyond it is not known. */
function autocorrelation(samples: Int32Array, order: number): Float64Array {
  const { length } = samples;
  const middle = (length - 1) / 2;
  const faded = new Float64Array(length);
  for (let n = 0; n < length; n += 1)
    faded[n] = (samples[n] ?? 0) * (1 - ((n - middle) / (middle + 1)) ** 2);
  const sums = new Float64Array(order + 1);
  for (let lag = 0; lag <= order; lag += 1) {
    let sum = 0;
    for (let n = lag; n < length; n += 1) sum += (faded[n] ?? 0) * (faded[n - lag] ?? 0);
    sums[lag] = sum;
  }
  return sums;
}

/** Levinson and Durbin's recursion. */
function solve(correlation: Float64Array, order: number): number[] | undefined {
  let error = correlation[0] ?? 0;
  if (!(error > 0)) return undefined;
  let found: number[] = [];
  for (let n = 0; n < order; n += 1) {
    let sum = correlation[n + 1] ?? 0;
    for (const [at, value] of found.entries()) sum -= value * (correlation[n - at] ?? 0);
    const reflection = sum / error;
    const before = found;
    found = before.map((value, at) => value - reflection * (before[n - 1 - at] ?? 0));
    found.push(reflection);
    error *= 1 - reflection * reflection;
    if (!(error > 0)) return undefined;
  }
  return found;
}

/** What the predictor leaves of a block; its first samples stay as they are. */
export function residualOf(samples: Int32Array, prediction: LinearPrediction): Int32Array {
  const { shift } = prediction;
  const coefficients = Int32Array.from(prediction.coefficients);
  const order = coefficients.length;
  const residual = samples.slice();
  for (let n = order; n < samples.length; n += 1) {
    let sum = 0;
    // Never longer than 32 bits, for samples of 16.
    for (let at = 0; at < order; at += 1)
      sum = (sum + Math.imul(coefficients[at] ?? 0, samples[n - 1 - at] ?? 0)) | 0;
    residual[n] = (samples[n] ?? 0) - (sum >> shift);
  }
  return residual;
}

/** Turns what the predictor left back into the block, in its place. */
export function addPrediction(
  residual: Int32Array,
  { coefficients, shift }: Pick<LinearPrediction, 'coefficients' | 'shift'>,
): void {
  const order = coefficients.length;
  for (let n = order; n < residual.length; n += 1) {
    let sum = 0;
    for (let at = 0; at < order; at += 1)
      sum += (coefficients[at] ?? 0) * (residual[n - 1 - at] ?? 0);
    residual[n] = (residual[n] ?? 0) + Math.floor(sum / 2 ** shift);
  }
}

/** The predictors that FLAC knows by a number: straight lines, parabolas… through the samples before. */
export const fixedPredictions: readonly LinearPrediction[] = [
  [],
  [1],
  [2, -1],
  [3, -3, 1],
  [4, -6, 4, -1],
].map((coefficients) => ({ coefficients, shift: 0, precision: 0 }));
