import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gates, runGate } from '../../scripts/lib/gates.mjs';
import { copyProduct, copyTree, restore } from './copy-of-tree.ts';
import { numbered } from './fault.ts';
import { houseFaults } from './house-faults.ts';
import { layerFaults } from './layer-faults.ts';
import { sourceFaults } from './source-faults.ts';

const faults = [...layerFaults, ...sourceFaults, ...houseFaults].map(numbered);
const judged = [...new Set(faults.map(({ gate }) => gate))].map((name) => {
  return { name, planted: faults.filter(({ gate }) => gate === name) };
});

/** What the linter has to say it says of one file, with what that file imports. */
const trees = { whole: '', product: '' };
const treeFor = (gate: string): string => (gate === 'lint' ? trees.product : trees.whole);

beforeAll(async () => {
  trees.whole = await copyTree();
  trees.product = await copyProduct();
});

afterAll(async () => {
  for (const tree of Object.values(trees)) await rm(tree, { recursive: true, force: true });
});

/** All faults of a gate at once, each in a file of its own: its one run has to name every one. */
async function judge(name: string, planted: typeof faults) {
  const gate = gates.find((candidate) => candidate.name === name);
  if (gate === undefined) throw new Error(`There is no gate called "${name}".`);
  const tree = treeFor(name);
  for (const { file, code } of planted) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), code);
  }
  try {
    return await runGate(gate, tree);
  } finally {
    for (const { file } of planted) await restore(tree, file);
  }
}

describe.each(judged)('the gate $name', ({ name, planted }) => {
  let verdict: Awaited<ReturnType<typeof runGate>>;

  beforeAll(async () => {
    verdict = await judge(name, planted);
  }, 120_000);

  it('says no', () => {
    expect(verdict.passed).toBe(false);
  });

  it.each(planted)('catches $title', ({ caught }) => {
    expect(stripVTControlCharacters(verdict.output)).toMatch(caught);
  });
});
