import { measureCost, measureQuality } from './resample/measure-resampler.ts';
import { resamplerKinds } from './resample/measure-resampler.ts';

const conversions = [
  [48_000, 16_000],
  [44_100, 16_000],
  [24_000, 48_000],
  [24_000, 44_100],
  [16_000, 24_000],
] as const;

/** Quality, latency and cost of our resampler, compared with libsamplerate. */
export async function bench(): Promise<void> {
  const width = Math.max(...resamplerKinds.map(({ name }) => name.length));
  for (const [from, to] of conversions) {
    process.stdout.write(`${from} to ${to} Hz\n`);
    for (const kind of resamplerKinds) {
      const quality = await measureQuality(kind, from, to);
      const cost = await measureCost(kind, from, to);
      const measurements = [...quality, ...cost].join('  ');
      process.stdout.write(`  ${kind.name.padEnd(width)}  ${measurements}\n`);
    }
  }
}
