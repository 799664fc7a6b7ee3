import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { inRoot, rootDir } from './root.mjs';
import { plainLines, run } from './run.mjs';
import { say } from './say.mjs';
import { Stop } from './stop.mjs';

const stampFile = inRoot('out', '.parley-build');

const outputs = [
  'out/main/main.js',
  'out/main/browser.js',
  'out/main/cli.js',
  'out/main/picture-worker.js',
  'out/main/key-helper.js',
  'out/main/probe-sound.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
];

const sourcePatterns = [
  /^(electron|renderer|shared|resources|tsconfig)$/,
  /^electron\.vite\.config\.ts$/,
  /^package(-lock)?\.json$/,
  /^tsconfig.*\.json$/,
];

/**
 * @param {string} path relative to the project
 * @returns {string[]} the files under it, in a stable order
 */
const filesUnder = (path) =>
  readdirSync(inRoot(path), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = path === '' ? entry.name : `${path}/${entry.name}`;
      if (path === '' && !sourcePatterns.some((source) => source.test(name))) return [];
      if (entry.isDirectory()) return filesUnder(name);
      // Emacs, for example, puts a link to no file beside a file with unsaved changes.
      return entry.isFile() ? [name] : [];
    });

/**
 * Hashes contents, because a checkout or a copy changes every file's time.
 * @returns {string}
 */
const sourceFingerprint = () => {
  const hash = createHash('sha256');
  for (const file of filesUnder('')) {
    const contents = readFileSync(inRoot(file));
    hash.update(`${file}\0${contents.length}\0`).update(contents);
  }
  return hash.digest('hex');
};

/**
 * @param {string} [fingerprint]
 * @returns {boolean} whether `out/` was built from the current sources
 */
const isBuilt = (fingerprint = sourceFingerprint()) => {
  if (!outputs.every((output) => existsSync(inRoot(output)))) return false;
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint;
};

/** Forces the next {@link ensureBuilt} to build: call it before another tool writes into `out/`. */
export const forgetBuild = () => rmSync(stampFile, { force: true });

/** @param {string} output */
const errorLines = (output) => {
  const lines = plainLines(output);
  const start = lines.findIndex((line) => /error during|build failed|\berror\b/i.test(line));
  return lines.slice(start === -1 ? -15 : start).slice(0, 25);
};

/**
 * Builds if the sources changed since the last build.
 * @returns {Promise<void>}
 */
export const ensureBuilt = async () => {
  const fingerprint = sourceFingerprint();
  if (isBuilt(fingerprint)) return;
  say('Building Parley…');
  forgetBuild();
  const tool = inRoot('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const env = { ...process.env, NO_COLOR: '1' };
  const { code, output } = await run(process.execPath, [tool, 'build'], { env, cwd: rootDir });
  const missing = outputs.filter((file) => !existsSync(inRoot(file)));
  if (code !== 0) {
    for (const line of errorLines(output)) say(line);
    throw new Stop('Parley could not be built: fix the errors above and start it again.');
  }
  if (missing.length > 0) {
    throw new Stop(
      `The build ended without ${missing.join(', ')}: check electron.vite.config.ts and start again.`,
    );
  }
  writeFileSync(stampFile, fingerprint);
};
