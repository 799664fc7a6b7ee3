import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi, type TestContext } from 'vitest';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { decodeWav, encodeWav } from '../../shared/audio/wav.ts';
import { mountSmallDisk, workFolder } from '../fakes/work-folder.ts';
import {
  countReceivedSamples,
  StandInGateway,
  talkArguments,
} from '../llama-omni/stand-in-process.ts';
import sharp from 'sharp';

// The bench takes many seconds, and more on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

it('parley bench adds up the CPU shares of a talk and judges whether they are low enough', async () => {
  const { code, out } = await runCli(['bench', '--json']);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const parts = lines.filter(({ event }) => event === 'part');
  expect(parts.map(({ name }) => name)).toEqual(['listening', 'answering', 'vision', 'recording']);
  const shares = parts.map(({ coreShare }) => Number(coreShare));
  for (const share of shares) expect(share).toBeGreaterThan(0.0005);
  const verdict = lines.at(-1);
  const sum = shares.reduce((all, share) => all + share, 0);
  expect(Number(verdict?.['coreShare'])).toBeCloseTo(sum, 6);
  expect(code).toBe(verdict?.['enough'] === true ? 0 : 1);
});

describe('a full disk', () => {
  let at: (name: string) => string;

  beforeEach(() => {
    at = workFolder();
  });

  /** Mounts a disk of five megabytes, filled except for `freeBytes`. */
  function smallDisk(context: TestContext, freeBytes: number): string {
    const folder = at('');
    mountSmallDisk(folder, context, '5m');
    writeFileSync(at('filler'), new Uint8Array(5 * 1024 * 1024 - freeBytes));
    return folder;
  }

  /** Writes 14 seconds with a sentence every five seconds: enough time to fill and free a disk. */
  function longInput(path: string): void {
    const speech = decodeWav(readFileSync('resources/speech/see.wav'));
    if (!speech.ok) throw new Error(speech.error.code);
    const { rate, samples } = speech.value;
    const long = new Float32Array(rate * 14);
    for (let from = 0; from + samples.length < long.length; from += rate * 5)
      long.set(samples, from);
    writeFileSync(path, encodeWav(long, { rate, channels: 1, coding: 'pcm16' }));
  }

  const gapSentence = 'A part of this talk could not be recorded, so its recording has a gap.';

  it('ends no talk, and the recording continues when space is free again', async (context) => {
    smallDisk(context, 400_000);
    const elsewhere = workFolder();
    longInput(elsewhere('in.wav'));
    const talk = ['talk', '--mode', 'audio', '--input', elsewhere('in.wav'), '--json'];
    const running = startCli([...talk, '--chunk-ms', '250', '--tape', at('tape')]);
    await expect.poll(() => running.written().err).toContain(gapSentence);
    await wait(1000);
    rmSync(at('filler'));
    const { code, out, err } = await running.ended;
    expect(out).toContain('"reason":"user_stop"');
    expect(code).toBe(1);
    expect(err.split('\n').filter((line) => line !== '')).toEqual([
      expect.stringMatching(/^Only 0 MB of disk left, too little/),
      expect.stringContaining(gapSentence),
    ]);
    const lines = readFileSync(at('tape/tape.ndjson'), 'utf8');
    expect(lines).toMatch(/"event":\{"kind":"gap","from":\d+(?:\.\d+)?,"why":"diskFull"\}/);
    const after = lines.slice(lines.indexOf('"kind":"gap"'));
    expect(after).toContain('"$sound":"microphone.wav"');
    const checked = await runCli(['tape', 'check', at('tape')]);
    expect(checked.code).toBe(0);
    expect(checked.out).toContain('it has gaps (1).');
    const replayed = await runCli(['replay', at('tape'), '--speed', 'max']);
    expect(replayed).toMatchObject({ code: 0, err: '' });
  });
});

describe('a talk through parley gateway with the model', () => {
  let served: StandInGateway;

  beforeEach(() => {
    served = new StandInGateway();
  });

  afterEach(async () => {
    await served.end();
  });

  it('shows the camera to the model', async () => {
    const url = await served.start({ pictureMs: 200 });
    const at = workFolder();
    const create = { width: 320, height: 240, channels: 3, background: '#a03030' } as const;
    await sharp({ create }).jpeg().toFile(at('red.jpg'));
    const { code, out } = await runCli([...talkArguments('video', url), '--frame', at('red.jpg')]);
    expect(code).toBe(0);
    expect(countReceivedSamples(out)).toBeGreaterThan(24_000);
    const { framesOffered, framesUsed } = await served.model.report();
    expect(framesUsed).toBeGreaterThan(2);
    expect(framesOffered).toBe(framesUsed);
  });

  it('is handed over before the model’s context is full', async () => {
    const url = await served.start({}, 460);
    const { code } = await runCli([
      ...talkArguments('audio', url),
      '--hand-over',
      '--max-seconds',
      '25',
    ]);
    expect(code).toBe(0);
    const report = await served.model.report();
    expect(report.contextSlid).toBe(false);
    expect(report.sessions).toBeGreaterThan(1);
  });

  it('fails without a stack trace when its model crashes', async () => {
    const url = await served.start({ crashAtStep: 4 });
    const { code, err } = await runCli([...talkArguments('audio', url), '--max-seconds', '15']);
    expect(code).not.toBe(0);
    expect(err).not.toMatch(/\bat .*\.js/u);
    expect(await served.model.exited()).toBe('SIGSEGV');
  });
});
