import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, type TestContext, vi } from 'vitest';
import { decodeWav, encodeWav } from '../../shared/audio/wav.ts';
import { eventually } from '../fakes/eventually.ts';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { fileTalk } from './cli-talk.ts';

vi.setConfig({ testTimeout: 90_000 });

let disk: string | undefined;

afterEach(() => {
  if (disk !== undefined) execFileSync('umount', ['-l', disk]);
  disk = undefined;
});

let at: (name: string) => string;

beforeEach(() => {
  at = workFolder();
});

/** Mounts a disk of five megabytes, filled except for `freeBytes`. */
function smallDisk(context: TestContext, freeBytes: number): string {
  const folder = at('');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=5m', 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    context.skip('Only root may mount a small disk.');
  }
  disk = folder;
  writeFileSync(at('filler'), new Uint8Array(5 * 1024 * 1024 - freeBytes));
  return folder;
}

/** Writes 14 seconds of speech, enough time to fill and free a disk. */
function longInput(path: string): void {
  const speech = decodeWav(readFileSync('resources/speech/see.wav'));
  if (!speech.ok) throw new Error(speech.error.code);
  const { rate, samples } = speech.value;
  const long = new Float32Array(rate * 14);
  for (let from = 0; from + samples.length < long.length; from += rate * 5) long.set(samples, from);
  writeFileSync(path, encodeWav(long, { rate, channels: 1, coding: 'pcm16' }));
}

const gapSentence = 'The talk continues, but its recording has a gap.';

it('a talk continues on a full disk, and its recording once space is free', async (context) => {
  smallDisk(context, 400_000);
  const elsewhere = workFolder();
  longInput(elsewhere('in.wav'));
  const talk = ['talk', '--mode', 'audio', '--input', elsewhere('in.wav'), '--json'];
  const running = startCli([...talk, '--chunk-ms', '250', '--tape', at('tape')]);
  await eventually(() => {
    expect(running.written().err).toContain(gapSentence);
  });
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

it('a tape is readable even if the disk is full from the beginning', async (context) => {
  smallDisk(context, 60_000);
  const talk = [...fileTalk, '--json'];
  const { code, out, err } = await runCli([...talk, '--tape', at('tape')]);
  expect({ code, talked: out.includes('"event":"text"') }).toEqual({ code: 1, talked: true });
  expect(err.split(gapSentence).length).toBe(2);
  const replayed = await runCli(['replay', at('tape'), '--speed', 'max']);
  expect(replayed.code).toBe(0);
  // Which of its files was the last to find room is chance.
  expect(replayed.err).toMatch(
    /^(?:\S+ is shorter than its tape says\.\n)?The tape ends after \d+ seconds, before the talk does\.\n$/,
  );
});
