import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { runCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { recordTalk } from '../fixtures/record-talk.ts';
import { endGateways, serveGateway } from './cli-talk.ts';

afterEach(endGateways);

// Processes start slowly on a busy machine, and talks take their time.
vi.setConfig({ testTimeout: 120_000 });

interface Compared {
  readonly alike: boolean;
  readonly differs: readonly string[];
  readonly answers: readonly { readonly other?: object }[];
}

it('rerun and compare report two runs against the same server as alike', async () => {
  const at = workFolder();
  vi.stubEnv('PARLEY_STATE_DIR', at('state'));
  const talk = new URL('../fixtures/tapes/legacy.parleytape', import.meta.url).pathname;
  const url = await serveGateway({ dialect: 'unified', profile: 'deployed' });
  const server = ['--url', url];
  const [before, after] = await Promise.all(
    ['before', 'after'].map((name) =>
      runCli(['rerun', talk, ...server, '--tape', at(name), '--json']),
    ),
  );
  expect(before).toMatchObject({ code: 0 });
  expect(after).toMatchObject({ code: 0 });
  expect(after?.err).toMatch(/of \d+ s of the tape are sent/u);
  expect(after?.out).toContain('"event":"closed"');
  const loose = ['--min-same-words', '0', '--max-latency-ratio', '20'];
  const { code, out } = await runCli(['compare', at('before'), at('after'), ...loose, '--json']);
  const result = JSON.parse(out) as Compared;
  expect(result).toMatchObject({ alike: true, differs: [] });
  expect(result.answers.length).toBeGreaterThan(0);
  expect(result.answers.every(({ other }) => other !== undefined)).toBe(true);
  expect(code).toBe(0);
  const gone = await runCli(['rerun', talk, '--url', 'ws://127.0.0.1:9', '--tape', at('gone')]);
  expect(gone.code).toBe(3);
  expect(gone.err.trim()).not.toBe('');
});

type At = ReturnType<typeof workFolder>;

/** The environment of a separate machine, with its own home and state folder. */
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

it('a report is saved only with --yes and reproduces the fault on another machine', async () => {
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
  const replayedHere = await runCli(['replay', at('tape'), '--speed', 'max', '--json'], '', here);
  const replayedThere = await runCli(['replay', tape, '--speed', 'max', '--json'], '', there);
  expect(replayedHere.out).toContain('"invalid_gertrude"');
  expect(replayedThere.out).toMatch(/"invalid_x+"/u);
  expect(flowOf(replayedThere.out)).toEqual(flowOf(replayedHere.out));
  expect(replayedThere.code).toBe(replayedHere.code);
});
