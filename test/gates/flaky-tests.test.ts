import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';
import { copyTree } from './copy-tree.ts';

const flakyTest = `
import { expect, it } from 'vitest';
let tries = 0;
it('a flaky test passes at the second try', () => {
  expect(++tries).toBe(2);
});
it('a sound test passes at once', () => {
  expect(1).toBe(1);
});
`;

/** The end of `npm run check`. */
const command = `
import { reportTally, runUnitTests } from './scripts/lib/check-source.mjs';
reportTally(await runUnitTests(['run'], { isQuick: true }));
`;

it('npm run check reports a test that passes only when retried as flaky', async () => {
  const tree = await copyTree([
    'package.json',
    'scripts',
    'shared',
    'test/set-up',
    'tsconfig',
    'tsconfig.base.json',
    'tsconfig.json',
    'vitest.config.ts',
  ]);
  onTestFinished(() => rm(tree, { recursive: true, force: true }));
  const planted = join(tree, 'test/unit/planted.test.ts');
  await mkdir(dirname(planted), { recursive: true });
  await writeFile(planted, flakyTest);
  await writeFile(join(tree, 'command.mjs'), command);
  const { code, output } = await run(process.execPath, ['command.mjs'], {
    cwd: tree,
    timeoutMs: 60_000,
  });
  const lines = stripVTControlCharacters(output).trim().split('\n');
  expect(
    lines.filter((line) => line.startsWith('FLAKY')),
    output,
  ).toEqual([
    'FLAKY: test/unit/planted.test.ts: a flaky test passes at the second try: passed only when retried: ' +
      'expected 1 to be 2 // Object.is equality',
  ]);
  expect(lines.at(-1)).toBe('tests: 2 passed (1 of them at the second try), 0 failed, 0 skipped');
  expect(code).toBe(0);
});
