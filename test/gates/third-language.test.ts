import { rm, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gates, runGate } from '../../scripts/lib/gates.mjs';
import { addPseudoLanguage, pseudoId } from '../gallery/add-pseudo-language.ts';
import { copyTree } from './copy-tree.ts';

let tree = '';

/** Checks everything in one program: a program per runtime takes twice as long, and languages have no runtime code. */
const whole = {
  extends: './test.json',
  include: ['shared', 'electron', 'renderer', 'test'].map((folder) => `../${folder}/**/*`),
};

beforeAll(async () => {
  tree = await copyTree();
  await addPseudoLanguage(tree);
  await writeFile(join(tree, 'tsconfig/whole.json'), JSON.stringify(whole));
});

afterAll(() => rm(tree, { recursive: true, force: true }));

async function judge(name: string) {
  const gate = gates.find((gate) => gate.name === name);
  if (gate === undefined) throw new Error(`Unknown gate "${name}".`);
  return runGate(gate, tree);
}

describe('a third language, added as a folder and an entry in languages.ts', () => {
  it('compiles in every runtime without other changes', { timeout: 120_000 }, async () => {
    const command = ['typescript/bin/tsc', '-p', 'tsconfig/whole.json'];
    const { passed, output } = await runGate({ name: 'types', command }, tree);
    expect(passed, output).toBe(true);
  });

  it.each([
    ['lacks a text', 'page-messages.ts', /^ {2}"tagline".*\n/m, '', /'tagline' is missing/],
  ])(
    'does not compile if it %s',
    async (_what, name, pattern, replacement, caught) => {
      const file = join(tree, 'shared/i18n', pseudoId, name);
      const whole = await readFile(file, 'utf8');
      expect(whole).toMatch(pattern);
      await writeFile(file, whole.replace(pattern, replacement));
      const { passed, output } = await judge('types pure');
      await writeFile(file, whole);
      expect(passed).toBe(false);
      expect(output).toMatch(caught);
    },
    120_000,
  );
});
