import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { runCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { recordTalk } from '../fixtures/record-talk.ts';

vi.setConfig({ testTimeout: 120_000 });

type At = ReturnType<typeof workFolder>;

/** A machine of somebody's own: nothing of the other one is on it. */
const machine = (at: At, name: string): NodeJS.ProcessEnv => {
  mkdirSync(at(name));
  return { ...process.env, HOME: at(name), PARLEY_STATE_DIR: at(`${name}/state`) };
};

/** Events and times, without text. */
const flowOf = (out: string): readonly unknown[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { at: when, event, state, by } = JSON.parse(line) as Readonly<Record<string, unknown>>;
      return [when, event, state, by];
    });

async function tapeWithFault(folder: string): Promise<void> {
  await recordTalk(folder, createFiles(), {
    gateway: { faults: [{ session: 1, kind: 'error', atStep: 4, code: 'invalid_gertrude' }] },
    hears: () => new Float32Array(320).fill(0.1),
    actions: [[9000, (talk) => talk.end()]],
  });
}

it('a report shows its content, is saved with --yes, and reproduces the fault on another machine', async () => {
  const at = workFolder();
  const here = machine(at, 'gertrudes-machine');
  await tapeWithFault(at('tape'));
  mkdirSync(at('gertrudes-machine/state/logs'), { recursive: true });
  const entry = `2026-11-22T10:00:00.000Z 7 warn: ${at('gertrudes-machine')} cannot be written: the disk is full.\n`;
  writeFileSync(at('gertrudes-machine/state/logs/parley.log'), entry);
  const target = at('report.zip');

  const shown = await runCli(['report', at('tape'), '--output', target], '', here);
  expect([shown.code, shown.err]).toEqual([0, '']);
  expect(shown.out).toMatch(/^about\.txt {2}\d+ bytes$/mu);
  expect(shown.out).toMatch(/^log\.txt {2}\d+ bytes$/mu);
  expect(shown.out).toMatch(/^talk\.parleytape {2}\d+ bytes$/mu);
  expect(shown.out).toMatch(/cannot be written: the disk is full\.$/mu);
  expect(existsSync(target)).toBe(false);

  const saved = await runCli(['report', at('tape'), '--output', target, '--yes'], '', here);
  expect([saved.code, saved.err]).toEqual([0, '']);
  expect(saved.out).toContain('Nothing was sent.');
  execFileSync('unzip', ['-q', target, '-d', at('received')]);
  const tape = at('received/talk.parleytape');
  execFileSync('unzip', ['-q', tape, '-d', at('looked')]);
  for (const file of ['received/about.txt', 'received/log.txt', 'looked/tape.ndjson']) {
    expect(readFileSync(at(file), 'utf8').toLowerCase()).not.toContain('gertrude');
    expect(statSync(at(file)).size).toBeGreaterThan(100);
  }

  const there = machine(at, 'another');
  const wasHere = await runCli(['replay', at('tape'), '--speed', 'max', '--json'], '', here);
  const isThere = await runCli(['replay', tape, '--speed', 'max', '--json'], '', there);
  expect(wasHere.out).toContain('"invalid_gertrude"');
  expect(isThere.out).toMatch(/"invalid_x+"/u);
  expect(flowOf(isThere.out)).toEqual(flowOf(wasHere.out));
  expect(isThere.code).toBe(wasHere.code);
});

it('a report without a tape has versions and the log, and a path without a tape is refused', async () => {
  const at = workFolder();
  const env = machine(at, 'home');
  const shown = await runCli(['report'], '', env);
  expect(shown.code).toBe(0);
  expect(shown.out).toContain('This report contains no recording.');
  expect(shown.out).not.toContain('parleytape');
  const refused = await runCli(['report', at('home')], '', env);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('is not a tape')]);
});
