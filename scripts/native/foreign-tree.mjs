import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { npm } from '../lib/npm.mjs';
import { inRoot } from '../lib/root.mjs';
import { plainLines } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';
import { compileParts } from './compile-parts.mjs';

/** @typedef {import('./native-target.mjs').NativeTarget} NativeTarget */

/** Files that npm and electron-builder read. The build in `out` is the same for every processor. */
const files = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'CHANGELOG.md',
  'electron/audio/native',
  'scripts/stubs',
  'resources',
  'out',
];

/**
 * Installs and compiles Parley's packages for another processor, in a separate folder.
 * @param {NativeTarget} target
 * @returns {Promise<string>} the folder
 */
export const foreignTree = async (target) => {
  const folder = inRoot('release', '.native', `${target.platform}-${target.architecture}`);
  const tree = join(folder, 'tree');
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  for (const file of files) {
    const from = inRoot(file);
    // `build` folders contain binaries for this machine.
    cpSync(from, join(tree, file), {
      recursive: true,
      filter: (path) => basename(path) !== 'build',
    });
  }
  const { code, output } = await npm(
    [
      'ci',
      '--omit=dev',
      '--ignore-scripts',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      `--os=${target.platform}`,
      `--cpu=${target.architecture}`,
      '--libc=glibc',
    ],
    tree,
  );
  if (code !== 0) {
    throw new Stop(
      `Parley's packages for ${target.architecture} could not be installed: ${plainLines(output).at(-1) ?? code}`,
    );
  }
  await compileParts({ modules: join(tree, 'node_modules'), target, work: folder });
  return tree;
};
