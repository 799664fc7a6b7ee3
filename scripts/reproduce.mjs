import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { main } from './lib/main.mjs';
import { npm } from './lib/npm.mjs';
import { inRoot, rootDir } from './lib/root.mjs';
import { plainLines, run } from './lib/run.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';

// `npm run reproduce -- dir deb` builds the packages twice: here, and in a clone with another folder, time zone, language
// and umask and freshly compiled native parts. It prints the files that differ.

/** Files that are known to differ. */
const knownDifferences = [
  // electron-builder's archives contain the files' modification times.
  /\.tar\.gz$/,
  /\.AppImage$/,
  // electron-builder's effective configuration, for debugging; it is not shipped.
  /^builder-[\w-]+\.ya?ml$/,
];

/** @param {string} folder @returns {ReadonlyMap<string, string>} SHA-256 by file name */
const sumsIn = (folder) =>
  new Map(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !relative(folder, file).startsWith('.'))
      .map((file) => [
        relative(folder, file),
        createHash('sha256').update(readFileSync(file)).digest('hex'),
      ]),
  );

/** @param {string} what @param {{ code: number, output: string }} result */
const requireSuccess = (what, { code, output }) => {
  if (code !== 0) throw new Stop(`${what} failed: ${plainLines(output).at(-1) ?? code}`);
};

/** @param {string} folder @returns {Promise<string>} a clone inside it, with a copy of node_modules */
const clone = async (folder) => {
  const tree = join(folder, 'in-a-folder-of-another-length', 'parley');
  requireSuccess('Cloning', await run('git', ['clone', '-q', rootDir, tree]));
  cpSync(inRoot('node_modules'), join(tree, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !/node_modules\/(naudiodon\/build|\.parley-install|\.cache)$/.test(file),
  });
  requireSuccess('Compiling', await npm(['rebuild', 'naudiodon', 'parley-sound'], tree));
  return tree;
};

/** @param {ReadonlyMap<string, string>} first @param {ReadonlyMap<string, string>} second */
const reportDifferences = (first, second) => {
  const files = [...new Set([...first.keys(), ...second.keys()])].toSorted();
  const differing = files.filter((file) => first.get(file) !== second.get(file));
  const known = differing.filter((file) => knownDifferences.some((name) => name.test(file)));
  const unknown = differing.filter((file) => !known.includes(file));
  say(`${files.length - differing.length} of ${files.length} files are the same.`);
  if (known.length > 0) say(`These files differ as expected: ${known.join(', ')}`);
  if (unknown.length > 0)
    throw new Stop(`These files differ between the two builds: ${unknown.join(', ')}`);
};

await main(async () => {
  const kinds = process.argv.slice(2);
  if (kinds.length === 0) {
    throw new Stop('Name the packages to build twice: npm run reproduce -- dir deb.', wrongUsage);
  }
  const { output: changes } = await run('git', ['status', '--porcelain']);
  if (changes.trim() !== '') {
    throw new Stop(
      'The packages would differ, because a clone has no uncommitted changes. Commit them first.',
    );
  }
  const work = mkdtempSync(join(tmpdir(), 'parley-again-'));
  try {
    const npmArguments = ['run', 'dist', '--', ...kinds];
    say('Packing here…');
    for (const name of existsSync(inRoot('release')) ? readdirSync(inRoot('release')) : []) {
      if (!name.startsWith('.')) rmSync(inRoot('release', name), { recursive: true });
    }
    requireSuccess('Packing here', await npm(npmArguments, rootDir));
    say('Packing a clone…');
    const tree = await clone(work);
    const other = { TZ: 'Pacific/Chatham', LC_ALL: 'C', HOME: work };
    const line = `umask 077; exec "$@"`;
    requireSuccess(
      'Packing a clone',
      await run('sh', ['-c', line, 'sh', 'npm', ...npmArguments], {
        cwd: tree,
        env: { ...process.env, ...other },
      }),
    );
    reportDifferences(sumsIn(inRoot('release')), sumsIn(join(tree, 'release')));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
