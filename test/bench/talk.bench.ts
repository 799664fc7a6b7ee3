import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { encodeWav } from '../../shared/audio/wav.ts';
import { seeded } from '../fakes/seeded.ts';
import { quantile } from '../../shared/statistics.ts';

const seconds = 60;
const cli = resolve('out/main/cli.js');

/**
 * The limit: a talk with a minute of sound uses less than 150 MB and drifts at most 50 ms from real time between appends,
 * with all output options on. An idle loop beside it shows the machine's own delay.
 */
export async function bench(): Promise<void> {
  if (!existsSync(cli)) throw new Error('out/main/cli.js is missing: npm test builds it.');
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const gateway = start(['gateway', '--port', '0', '--json'], folder);
  try {
    writeFileSync(join(folder, 'in.wav'), speechLike());
    const url = await said(gateway, /"url":"(ws:[^"]+)"/);
    const [talk, bare] = await Promise.all([measureTalk(url, folder), measureBareLoop()]);
    process.stdout.write(
      [
        `A talk of ${seconds} s, stereo at 48 kHz, with --output, --captions and --tape`,
        `  peak RSS ${talk.peakMb.toFixed(1)} MB; ${talk.times.length} appends`,
        ...drift('parley talk', talk.times),
        ...drift('bare setTimeout', bare),
        '',
      ].join('\n'),
    );
  } finally {
    gateway.kill('SIGINT');
    await once(gateway, 'close');
    rmSync(folder, { recursive: true });
  }
}

function start(args: readonly string[], folder: string): ChildProcess {
  return spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PARLEY_STATE_DIR: folder },
  });
}

async function measureTalk(url: string, folder: string) {
  const at = (name: string): string => join(folder, name);
  const files = ['--output', at('o.wav'), '--captions', at('c.vtt'), '--tape', at('tape')];
  const what = ['talk', '--mode', 'audio', '--input', at('in.wav'), '--url', url, '--json'];
  const child = start([...what, ...files], folder);
  const closed = once(child, 'close');
  const times: number[] = [];
  let peakMb = 0;
  for await (const text of linesOf(child)) {
    // Read while it runs; the kernel tracks the peak.
    peakMb = Math.max(peakMb, readPeakMb(child.pid));
    const line = JSON.parse(text) as { at: number; event: string; forceListen?: boolean };
    if (line.event === 'sent' && line.forceListen !== true) times.push(line.at);
  }
  const [code] = (await closed) as [number | null];
  if (code !== 0) throw new Error(`parley talk ended with ${String(code)}`);
  return { times, peakMb };
}

async function measureBareLoop(): Promise<readonly number[]> {
  const loop = `const began = performance.now(); let count = 1;
    const wait = () => setTimeout(() => {
      console.log(Math.round(performance.now() - began));
      if (++count <= ${seconds}) wait();
    }, began + count * 1000 - performance.now());
    wait();`;
  const child = spawn(process.execPath, ['-e', loop], { stdio: ['ignore', 'pipe', 'inherit'] });
  const times: number[] = [];
  for await (const line of linesOf(child)) times.push(Number(line));
  return times;
}

function linesOf({ stdout }: ChildProcess): AsyncIterable<string> {
  if (stdout === null) throw new Error('The process has no stdout.');
  return createInterface({ input: stdout });
}

async function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  const [data] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const [, found] = pattern.exec(data.toString()) ?? [];
  if (found === undefined) throw new Error(`Unexpected output: ${data.toString()}`);
  return found;
}

function readPeakMb(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] =
      /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1000;
  } catch {
    // The process has ended, or this is not Linux.
    return 0;
  }
}

/** Drift between appends, and from a clock aligned with the most punctual append. */
function drift(name: string, times: readonly number[]): readonly string[] {
  const apart = times.slice(1).map((at, count) => Math.abs(at - (times[count] ?? 0) - 1000));
  const offsets = times.map((at, count) => at - count * 1000);
  const began = Math.min(...offsets);
  const late = offsets.map((offset) => offset - began);
  return [
    `  ${name.padEnd(16)} interval error ${formatValues(apart)}`,
    `  ${' '.repeat(16)} behind real time   ${formatValues(late)}`,
  ];
}

function formatValues(values: readonly number[]): string {
  const at = (fraction: number): string => `${String(quantile(values, fraction)).padStart(4)} ms`;
  return `median ${at(0.5)}  95 of 100 ${at(0.95)}  most ${at(1)}`;
}

/** Two seconds of loud noise, then four of silence, which the gateway takes for questions. */
function speechLike(): Uint8Array {
  const random = seeded(1);
  const [rate, channels] = [48_000, 2];
  const samples = new Float32Array(seconds * rate * channels);
  for (let index = 0; index < samples.length; index += 1) {
    const speaks = Math.floor(index / (rate * channels)) % 6 < 2;
    samples[index] = (random() - 0.5) * (speaks ? 0.5 : 0.002);
  }
  return encodeWav(samples, { rate, channels, coding: 'pcm16' });
}
