import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const rooms = ['docs', 'electron', 'renderer', 'shared', 'scripts', 'test', 'tsconfig'];
const configs = [
  '.dependency-cruiser.cjs',
  '.gitignore',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'electron.vite.config.ts',
  'knip.json',
  'package-lock.json',
  'package.json',
  'playwright.config.ts',
  'tsconfig.base.json',
  'tsconfig.json',
  'vitest.config.ts',
];

/** What tools write there, each for the tree it looks at. */
const written = new Set(['.cache', '.parley-install', '.vite', '.vite-temp']);

/** A copy to plant faults and changes in, so that nobody who works in the real tree ever meets one. */
export async function copyTree(named: readonly string[] = [...rooms, ...configs]): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), 'parley-planted-'));
  await Promise.all(
    named.map((name) => cp(join(root, name), join(tree, name), { recursive: true })),
  );
  // A folder of links, because the tools know to keep out of a folder of that name, not of a link.
  await mkdir(join(tree, 'node_modules'));
  const packages = await readdir(join(root, 'node_modules'));
  await Promise.all(
    packages
      .filter((name) => !written.has(name))
      .map((name) => symlink(join(root, 'node_modules', name), join(tree, 'node_modules', name))),
  );
  return tree;
}

/** The same without its tests, which are half of what there is to be read. */
export const copyProduct = (): Promise<string> =>
  copyTree([...rooms.filter((room) => room !== 'test'), ...configs.filter(isOfProduct)]);

/** Those of the runners would look for the tests. */
const isOfProduct = (config: string): boolean => !/^(playwright|vitest)\./.test(config);

/** Puts the original back, or nothing where there was none. */
export async function restore(tree: string, file: string): Promise<void> {
  await rm(join(tree, file));
  await cp(join(root, file), join(tree, file)).catch((error: unknown) => {
    if (!String(error).includes('ENOENT')) throw error;
  });
}
