/** Zero crossings on each side: more make the filter steeper and slower. */
const usualCrossings = 41;
/** Kaiser's β: about 100 dB between what passes and what does not. */
const beta = 10;
/** The slope ends at the new half rate, so that nothing above it folds back. */
const passband = 0.92;

/** The windowed sinc of a resampler, tabulated. */
export interface Kernel {
  /** How many samples before and after a point it looks at. */
  readonly reach: number;
  /** The weights of the samples around a point that lies `fraction` after a sample; they sum to 1. */
  readonly row: (fraction: number) => Float32Array;
}

/** A low-pass filter at `ratio` of the half rate. */
export function createKernel(ratio: number, crossings = usualCrossings): Kernel {
  const cutoff = ratio * passband;
  const half = crossings / cutoff;
  const reach = Math.ceil(half) + 1;
  return {
    reach,
    row: (fraction) => {
      const weights = new Float64Array(2 * reach);
      let sum = 0;
      for (let tap = 0; tap < weights.length; tap += 1) {
        const distance = tap - reach - fraction;
        const weight = sinc(distance * cutoff) * kaiser(distance / half);
        weights[tap] = weight;
        sum += weight;
      }
      return Float32Array.from(weights, (weight) => weight / sum);
    },
  };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(beta * Math.sqrt(1 - x * x)) / besselOfBeta;
}

/** The modified Bessel function of the first kind, order zero, by its series. */
function bessel(x: number): number {
  const quarter = (x * x) / 4;
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k += 1) {
    term *= quarter / (k * k);
    sum += term;
  }
  return sum;
}

const besselOfBeta = bessel(beta);
