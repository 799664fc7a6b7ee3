import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { inRoot } from '../../scripts/lib/root.mjs';
import { run } from '../../scripts/lib/run.mjs';

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

/** Runs a gate's script on a tree of a few files, to test one rule at a time. */
export async function judgeSmallTree(
  script: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly passed: boolean; readonly output: string }> {
  const tree = await mkdtemp(join(tmpdir(), 'parley-small-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(tree, file)), { recursive: true });
      await writeFile(join(tree, file), text);
    }
    const { code, output } = await run(process.execPath, [inRoot('scripts', script)], {
      cwd: tree,
      timeoutMs: 60_000,
    });
    return { passed: code === 0, output: stripVTControlCharacters(output).trim() };
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}
