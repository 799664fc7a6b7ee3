import { convertInBlocks, sine } from './measure-quality.ts';
import type { ResamplerKind } from './resampler-kinds.ts';

const seconds = 2;
const rounds = 9;

/** Measures latency, time to the first block, and cost per second of sound. */
export async function measureCost(
  kind: ResamplerKind,
  from: number,
  to: number,
): Promise<readonly string[]> {
  const sound = sine(440, from, seconds);
  const before = performance.now();
  const resampler = await kind.open(from, to);
  resampler.convert(sound.subarray(0, from / 50));
  const firstMs = performance.now() - before;
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage();
    convertInBlocks(resampler.convert, sound, from);
    const { user, system } = process.cpuUsage(start);
    costs.push((user + system) / seconds);
  }
  resampler.close();
  const fastest = Math.min(...costs);
  return [
    `delay ${(await heldBackMs(kind, from, to)).toFixed(2)} ms`,
    `first block ${firstMs.toFixed(1)} ms`,
    `${(fastest / 1000).toFixed(1)} ms of CPU a second`,
  ];
}

async function heldBackMs(kind: ResamplerKind, from: number, to: number): Promise<number> {
  const resampler = await kind.open(from, to);
  const got = resampler.convert(new Float32Array(from)).length;
  resampler.close();
  return ((to - got) / to) * 1000;
}
