import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gates, runGate } from '../../scripts/lib/gates.mjs';
import { copyTree, restore } from './copy-of-tree.ts';
import { layerFaults } from './layer-faults.ts';
import { sourceFaults } from './source-faults.ts';

const faults = [...layerFaults, ...sourceFaults];

let tree: string;

beforeAll(async () => {
  tree = await copyTree();
});

afterAll(() => rm(tree, { recursive: true, force: true }));

async function judge(name: string) {
  const gate = gates.find((candidate) => candidate.name === name);
  if (gate === undefined) throw new Error(`There is no gate called "${name}".`);
  return runGate(gate, tree);
}

describe('the gates', () => {
  it.each([...new Set(faults.map(({ gate }) => gate))])(
    '%s: the tree as it is passes',
    async (gate) => {
      const { passed, output } = await judge(gate);
      expect(passed, output).toBe(true);
    },
  );

  it.each(faults)('$gate: catches $title', async ({ gate, file, code, caught }) => {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), code);
    try {
      const { passed, output } = await judge(gate);
      expect(output).toMatch(caught);
      expect(passed).toBe(false);
    } finally {
      await restore(tree, file);
    }
  });
});
