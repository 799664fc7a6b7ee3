import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';
import { copyTree } from './copy-of-tree.ts';

const unsteady = `
import { expect, it } from 'vitest';
let tries = 0;
it('comes and goes', () => {
  expect(++tries).toBe(2);
});
it('stays', () => {
  expect(1).toBe(1);
});
`;

/** As both commands end, of which one takes the slow tests too. */
const commandOf = (includesSlow: boolean): string => `
import { conclude, runUnitTests } from './scripts/lib/check-source.mjs';
conclude(await runUnitTests({ includesSlow: ${includesSlow} }));
`;

it.each([
  ['npm run check', false],
  ['npm test', true],
])('in %s a test that passes at its second try is named as a fault', async (_, includesSlow) => {
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
  await writeFile(planted, unsteady);
  await writeFile(join(tree, 'command.mjs'), commandOf(includesSlow));
  const { code, output } = await run(process.execPath, ['command.mjs'], {
    cwd: tree,
    timeoutMs: 60_000,
  });
  const lines = stripVTControlCharacters(output).trim().split('\n');
  expect(
    lines.filter((line) => line.startsWith('FAULT')),
    output,
  ).toEqual([
    'FAULT to be mended: test/unit/planted.test.ts: comes and goes: passed only at its second try: ' +
      'expected 1 to be 2 // Object.is equality',
  ]);
  expect(lines.at(-1)).toBe('tests: 2 passed (1 of them at the second try), 0 failed, 0 skipped');
  expect(code).toBe(0);
});
