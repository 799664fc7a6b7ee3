import { rm, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gates, runGate } from '../../scripts/lib/gates.mjs';
import { addPseudoLanguage, pseudoId } from '../gallery/add-pseudo-language.ts';
import { copyTree } from './copy-of-tree.ts';

let tree = '';

beforeAll(async () => {
  tree = await copyTree();
  await addPseudoLanguage(tree);
});

afterAll(() => rm(tree, { recursive: true, force: true }));

async function judge(name: string) {
  const gate = gates.find((one) => one.name === name);
  if (gate === undefined) throw new Error(`There is no gate called "${name}".`);
  return runGate(gate, tree);
}

describe('a third language, added by a folder and a line', () => {
  it.each(['types pure', 'types node', 'types renderer', 'types test'])(
    'needs nothing else: %s',
    async (gate) => {
      const { passed, output } = await judge(gate);
      expect(passed, output).toBe(true);
    },
    120_000,
  );

  it.each([
    ['lacks a text', 'page-messages.ts', /^ {2}"tagline".*\n/m, '', /'tagline' is missing/],
    [
      'has a text too many',
      'core-messages.ts',
      /^ {4}"quit"/m,
      '    "leave": "", "quit"',
      /'"leave"' does not exist/,
    ],
  ])(
    'does not compile where it %s',
    async (_what, name, there, instead, caught) => {
      const file = join(tree, 'shared/i18n', pseudoId, name);
      const whole = await readFile(file, 'utf8');
      expect(whole).toMatch(there);
      await writeFile(file, whole.replace(there, instead));
      const { passed, output } = await judge('types pure');
      await writeFile(file, whole);
      expect(passed).toBe(false);
      expect(output).toMatch(caught);
    },
    120_000,
  );
});
