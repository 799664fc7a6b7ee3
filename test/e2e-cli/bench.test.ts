import { expect, it, vi } from 'vitest';
import { runCli } from '../fakes/run-cli.ts';

// The bench takes many seconds, and more on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

it('parley bench adds up the parts of a talk and says whether they are fast enough', async () => {
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
