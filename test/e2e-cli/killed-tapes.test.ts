import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { seeded } from '../fakes/seeded.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { fileTalk, samplesOf } from './cli-talk.ts';

// Talks take their time, and a machine that kills many of them is busy.
vi.setConfig({ testTimeout: 300_000 });

/** PARLEY_KILLS=50 for the long run. */
const kills = Number(process.env['PARLEY_KILLS'] ?? 10);
const sideBySide = 5;
const rates = { sent: 16_000, audio: 24_000 } as const;

interface KilledTalk {
  readonly afterMs: number;
  /** Exit code and stderr of `parley replay`. */
  readonly code: number | null;
  readonly err: string;
  /** Exit code of `parley tape check`. */
  readonly checkCode: number | null;
  /** Seconds of sound that the tape lacks, for the microphone and the answers. */
  readonly lostSeconds: readonly number[];
}

async function killAfter(afterMs: number): Promise<KilledTalk> {
  const at = workFolder();
  const running = startCli([...fileTalk, '--json', '--chunk-ms', '250', '--tape', at('tape')]);
  await running.waitForOutput(/"state":"connecting"/);
  await wait(afterMs);
  running.child.kill('SIGKILL');
  const { out } = await running.ended;
  const {
    code,
    out: replayed,
    err,
  } = await runCli(['replay', at('tape'), '--speed', 'max', '--json']);
  const { code: checkCode } = await runCli(['tape', 'check', at('tape')]);
  const lostSeconds = (['sent', 'audio'] as const).map(
    (event) => (samplesOf(out, event) - samplesOf(replayed, event)) / rates[event],
  );
  return { afterMs, code, err, checkCode, lostSeconds };
}

it(`each of ${kills} killed talks leaves a playable tape that lacks at most the last second`, async () => {
  const random = seeded(kills);
  const all: KilledTalk[] = [];
  while (all.length < kills) {
    const times = Array.from({ length: sideBySide }, () => 50 + Math.floor(random() * 6000));
    all.push(...(await Promise.all(times.map(killAfter))));
  }
  for (const { afterMs, code, err, checkCode, lostSeconds } of all) {
    const sentence = err.replace(
      /^The tape ends after \d+ seconds, (?:in the middle of a sentence|before the talk does)\.\n$/,
      'one sentence',
    );
    expect({ afterMs, code, checkCode }).toEqual({ afterMs, code: 0, checkCode: 0 });
    expect(sentence).toBe('one sentence');
    expect(Math.max(...lostSeconds)).toBeLessThanOrEqual(1);
  }
  expect(all.some(({ err }) => err.includes('in the middle of a sentence'))).toBe(true);
});
