import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const folders = ['docs', 'electron', 'renderer', 'shared', 'scripts', 'test', 'tsconfig'];
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

/** Caches that tools write into node_modules, per tree. */
const caches = new Set(['.cache', '.parley-install', '.vite', '.vite-temp']);

/** Copies the tree, so that planted faults never appear in the real one. */
export async function copyTree(
  names: readonly string[] = [...folders, ...configs],
): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), 'parley-planted-'));
  await Promise.all(
    names.map((name) => cp(join(root, name), join(tree, name), { recursive: true })),
  );
  // A real folder of links, because tools skip a folder named node_modules but follow a link.
  await mkdir(join(tree, 'node_modules'));
  const packages = await readdir(join(root, 'node_modules'));
  await Promise.all(
    packages
      .filter((name) => !caches.has(name))
      .map((name) => symlink(join(root, 'node_modules', name), join(tree, 'node_modules', name))),
  );
  return tree;
}

/** Copies the tree without its tests, which are half of the code. */
export const copyProduct = (): Promise<string> =>
  copyTree([...folders.filter((folder) => folder !== 'test'), ...configs.filter(isProductConfig)]);

/** Configs of the test runners would look for the tests. */
const isProductConfig = (config: string): boolean => !/^(playwright|vitest)\./.test(config);

/** Restores the original file, or removes the planted one. */
export async function restore(tree: string, file: string): Promise<void> {
  await rm(join(tree, file));
  await cp(join(root, file), join(tree, file)).catch((error: unknown) => {
    if (!String(error).includes('ENOENT')) throw error;
  });
}
