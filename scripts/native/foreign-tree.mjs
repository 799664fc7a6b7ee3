import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { npm } from '../lib/npm.mjs';
import { inRoot } from '../lib/root.mjs';
import { plainLines } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';
import { compileParts } from './compile-parts.mjs';

/** @typedef {import('./native-target.mjs').NativeTarget} NativeTarget */

/** What npm and a packer read. What is built is the same for every kind of processor. */
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
 * Parley as it is on another kind of processor: what is installed with it, compiled for that one, in a folder of its
 * own, so that this machine's packages stay as they are.
 * @param {NativeTarget} target
 * @returns {Promise<string>} the folder
 */
export const foreignTree = async (target) => {
  const place = inRoot('release', '.native', `${target.platform}-${target.architecture}`);
  const tree = join(place, 'tree');
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  for (const file of files) {
    const from = inRoot(file);
    // What was compiled is for this machine.
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
      `What Parley consists of on ${target.architecture} could not be had: ${plainLines(output).at(-1) ?? code}`,
    );
  }
  await compileParts({ modules: join(tree, 'node_modules'), target, work: place });
  return tree;
};
