import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import sharp from 'sharp';
import { PictureThread } from '../../electron/platform/pictures/picture-thread.ts';
import { createFrames } from '../../electron/platform/pictures/pictures.ts';
import { planFrame } from '../../electron/vision/prepare-frame.ts';
import { makeCameraPicture } from './conversation/camera-frames.ts';

const rounds = 40;
const qualities = [60, 70, 75, 80, 85, 90];
const sources = [
  { name: '720p', width: 1280, height: 720 },
  { name: '4K', width: 3840, height: 2160 },
] as const;

/** Time to prepare a frame, time that the JS thread was blocked, and the cost of each quality. */
export async function bench(): Promise<void> {
  // Decoded in a worker thread, as in the hosts.
  const thread = new PictureThread(resolve('out/main/picture-worker.js'));
  const frames = createFrames(thread);
  for (const { name, width, height } of sources) {
    const file = await makeCameraPicture(width, height);
    const decode = await timesOf(() => sharp(file).raw().toBuffer());
    print(`${name}, ${kilobytes(file.length)}: decoding alone (baseline)`, decode);
    for (const slices of [1, 4, 9]) {
      const plan: Parameters<typeof frames.prepare>[1] = (size) =>
        planFrame(size, undefined, slices);
      const done = await frames.prepare(file, plan);
      if (!done.ok) throw new Error(done.error.code);
      const { jpeg, ...size } = done.value;
      const times = await timesOf(() => frames.prepare(file, plan));
      print(`  ${slices} slices: ${size.width} × ${size.height}, ${kilobytes(jpeg.length)}`, times);
    }
  }
  thread.end();
  await printQualities();
}

async function printQualities(): Promise<void> {
  const { width, height } = planFrame({ width: 1280, height: 720 }, undefined, 1);
  const file = await makeCameraPicture(1280, 720);
  const raw = await sharp(file).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  const open = () => sharp(raw, { raw: { width, height, channels: 3 } });
  process.stdout.write(`JPEG quality for one slice, ${width} × ${height}\n`);
  for (const quality of qualities) {
    const jpeg = await open().jpeg({ quality }).toBuffer();
    const times = await timesOf(() => open().jpeg({ quality }).toBuffer());
    const back = await sharp(jpeg).raw().toBuffer();
    const likeness = `${signalToNoise(raw, back).toFixed(1)} dB`;
    print(`  ${quality}: ${kilobytes(jpeg.length)}, ${likeness}`, times);
  }
}

interface Times {
  readonly sorted: readonly number[];
  /** Time per round that the JS thread was blocked. */
  readonly blockedMs: number;
}

async function timesOf(run: () => Promise<unknown>): Promise<Times> {
  for (let round = 0; round < 5; round += 1) await run();
  const before = performance.eventLoopUtilization();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  const blockedMs = performance.eventLoopUtilization(before).active / rounds;
  return { sorted: times.toSorted((a, b) => a - b), blockedMs };
}

function print(what: string, { sorted, blockedMs }: Times): void {
  const at = (share: number): string => (sorted[Math.floor(rounds * share)] ?? 0).toFixed(1);
  const line = `${what.padEnd(44)} median ${at(0.5)} ms, p95 ${at(0.95)} ms, JS thread ${blockedMs.toFixed(1)} ms`;
  process.stdout.write(`${line}\n`);
}

function signalToNoise(one: Buffer, other: Buffer): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2;
  return 10 * Math.log10((255 * 255 * one.length) / sum);
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`;
