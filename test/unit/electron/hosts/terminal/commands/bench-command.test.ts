import { expect, it } from 'vitest';
import type { ModelBench } from '../../../../../../electron/app/machine-bench.ts';
import {
  machineVerdict,
  runModelBench,
} from '../../../../../../electron/hosts/terminal/commands/bench-command.ts';
import { failure } from '../../../../../../shared/errors/app-error.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';

/** A benchmark whose steps take this long, and 200 ms more with a picture. */
function benchWithSteps(stepMs: number) {
  const bench: ModelBench = {
    load: () => Promise.resolve({ ok: true, value: 12_340 }),
    measure: (steps, withPicture) =>
      Promise.resolve({
        ok: true,
        value: Array.from({ length: steps }, () => stepMs + (withPicture ? 200 : 0)),
      }),
  };
  return { ...fakeTerminal(), bench };
}

it('prints the load time, the steps with and without a picture, and a verdict in words', async () => {
  const { written, terminal, bench } = benchWithSteps(500);
  expect(await runModelBench(bench, 4, false, terminal)).toBe(0);
  expect(written.out).toBe(
    [
      'Loaded in 12.3 s.',
      'Without a picture: median 500 ms, 9 of 10 steps within 500 ms, longest 500 ms.',
      'With a picture: median 700 ms, 9 of 10 steps within 700 ms, longest 700 ms.',
      'This computer is fast enough for talks and pictures.',
      '',
    ].join('\n'),
  );
});

it.each([
  [800, 'fewPictures', 0],
  [950, 'chatOnly', 1],
] as const)('judges steps of %d ms as %s', async (stepMs, verdict, code) => {
  const { written, terminal, bench } = benchWithSteps(stepMs);
  expect(await runModelBench(bench, 10, true, terminal)).toBe(code);
  const lines = written.out.trim().split('\n');
  expect(lines).toHaveLength(4);
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ event: 'verdict', verdict });
});

it('fails if the model cannot be loaded, and ends with exit code 1 at Ctrl-C', async () => {
  const { terminal, bench, interrupt } = benchWithSteps(500);
  const broken = { ...bench, load: () => Promise.resolve(failure('modelCardMemory')) };
  await expect(runModelBench(broken, 10, false, terminal)).rejects.toMatchObject({ code: 1 });
  const running = runModelBench(
    { ...bench, load: () => new Promise(() => undefined) },
    10,
    false,
    terminal,
  );
  interrupt();
  expect(await running).toBe(1);
});

it('judges a computer to be fast enough while the core takes at most 0.9 of its time, in four sentences', () => {
  const verdicts = [0.06, 0.25, 0.4, 0.6, 0.8, 0.9, 0.91, 3].map((share) => machineVerdict(share));
  expect(verdicts.map(({ enough }) => enough)).toEqual([
    ...Array<boolean>(6).fill(true),
    ...Array<boolean>(2).fill(false),
  ]);
  expect(new Set(verdicts.map(({ sentence }) => sentence)).size).toBe(4);
});
