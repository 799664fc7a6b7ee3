import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gates, runGate } from '../../scripts/lib/gates.mjs';
import { copyProduct, copyTree, restore } from './copy-tree.ts';
import { type Fault, faults as allFaults } from './faults.ts';

/** Gives the fault a file that no other fault uses. */
function withUniqueFile(fault: Fault, number: number): Fault {
  const addNumber = (text: string): string =>
    text.replace(/planted(?=\\?\.tsx?)/, `planted-${number}`);
  const { file, code, caught } = fault;
  return {
    ...fault,
    file: addNumber(file),
    code: addNumber(code),
    caught: new RegExp(addNumber(caught.source)),
  };
}

const faults = allFaults.map(withUniqueFile);
const plantedByGate = [...new Set(faults.map(({ gate }) => gate))].map((name) => {
  return { name, planted: faults.filter(({ gate }) => gate === name) };
});

/** The linter gets a smaller tree: it judges files with their imports, and needs no tests. */
const trees = { whole: '', product: '' };
const treeFor = (gate: string): string => (gate === 'lint' ? trees.product : trees.whole);

beforeAll(async () => {
  trees.whole = await copyTree();
  trees.product = await copyProduct();
});

afterAll(async () => {
  for (const tree of Object.values(trees)) await rm(tree, { recursive: true, force: true });
});

/** Plants all faults of a gate at once, because one run must report each of them. */
async function judge(name: string, planted: typeof faults) {
  const gate = gates.find((candidate) => candidate.name === name);
  if (gate === undefined) throw new Error(`Unknown gate "${name}".`);
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

describe.each(plantedByGate)('the gate $name', ({ name, planted }) => {
  let result: Awaited<ReturnType<typeof runGate>>;

  beforeAll(async () => {
    result = await judge(name, planted);
  }, 120_000);

  it('fails', () => {
    expect(result.passed).toBe(false);
  });

  it.each(planted)('catches $title', ({ caught }) => {
    expect(stripVTControlCharacters(result.output)).toMatch(caught);
  });
});
