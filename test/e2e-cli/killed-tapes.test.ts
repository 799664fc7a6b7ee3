import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { seeded } from '../fakes/seeded.ts';
import { workFolder } from '../fakes/work-folder.ts';

// Talks take their time, and a machine that kills many of them is busy.
vi.setConfig({ testTimeout: 300_000 });

/** PARLEY_KILLS=50 for the long run. */
const kills = Number(process.env['PARLEY_KILLS'] ?? 10);
const sideBySide = 5;
const talk = ['talk', '--mode', 'audio', '--input', 'resources/speech/see.wav', '--json'];
const rates = { sent: 16_000, audio: 24_000 } as const;

function samplesIn(out: string, event: string): number {
  const whole = out.slice(0, out.lastIndexOf('\n') + 1).split('\n');
  const lines = whole
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly event: string; readonly samples?: number });
  return lines
    .filter((line) => line.event === event)
    .reduce((sum, { samples = 0 }) => sum + samples, 0);
}

interface Killed {
  readonly after: number;
  readonly code: number | null;
  readonly says: string;
  readonly checked: number | null;
  /** In seconds of each side. */
  readonly lost: readonly number[];
}

async function killAfter(after: number): Promise<Killed> {
  const at = workFolder();
  const running = startCli([...talk, '--chunk-ms', '250', '--tape', at('tape')]);
  await running.waitForOutput(/"state":"connecting"/);
  await wait(after);
  running.child.kill('SIGKILL');
  const { out } = await running.ended;
  const {
    code,
    out: replayed,
    err,
  } = await runCli(['replay', at('tape'), '--speed', 'max', '--json']);
  const { code: checked } = await runCli(['tape', 'check', at('tape')]);
  const lost = (['sent', 'audio'] as const).map(
    (event) => (samplesIn(out, event) - samplesIn(replayed, event)) / rates[event],
  );
  return { after, code, says: err, checked, lost };
}

it(`leaves a playable tape that lacks at most its last second in each of ${kills} kills`, async () => {
  const random = seeded(kills);
  const all: Killed[] = [];
  while (all.length < kills) {
    const times = Array.from({ length: sideBySide }, () => 50 + Math.floor(random() * 6000));
    all.push(...(await Promise.all(times.map(killAfter))));
  }
  for (const { after, code, says, checked, lost } of all) {
    const sentence = says.replace(
      /^The tape ends after \d+ seconds, (?:in the middle of a sentence|before the talk does)\.\n$/,
      'one sentence',
    );
    expect({ after, code, checked }).toEqual({ after, code: 0, checked: 0 });
    expect(sentence).toBe('one sentence');
    expect(Math.max(...lost)).toBeLessThanOrEqual(1);
  }
  expect(all.some(({ says }) => says.includes('in the middle of a sentence'))).toBe(true);
});
