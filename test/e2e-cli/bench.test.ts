import { expect, it } from 'vitest';
import { runCli } from '../fakes/run-cli.ts';

it('parley bench times each part of a talk, adds them up, and says whether that is fast enough', async () => {
  const { code, out } = await runCli(['bench', '--json']);
  const told = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const parts = told.filter(({ event }) => event === 'part');
  expect(parts.map(({ name }) => name)).toEqual(['listening', 'answering', 'vision', 'recording']);
  const shares = parts.map(({ coreShare }) => Number(coreShare));
  for (const share of shares) expect(share).toBeGreaterThan(0.0005);
  const verdict = told.at(-1);
  const sum = shares.reduce((all, share) => all + share, 0);
  expect(Number(verdict?.['coreShare'])).toBeCloseTo(sum, 6);
  expect(code).toBe(verdict?.['enough'] === true ? 0 : 1);
});
