import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';
import { releaseNotes } from './package/release-notes.mjs';

// `node scripts/release.mjs TAG FOLDER` collects each system's packages (a folder each) in FOLDER/assets, under unique
// names, with checksums and release notes.

/** Files that every system has under the same name, with their new names. */
const perSystem = new Map([
  ['parley.cdx.json', (/** @type {string} */ system) => `${system}.cdx.json`],
  ['LICENSES.parley.txt', (/** @type {string} */ system) => `${system}-licences.txt`],
]);

await main(async () => {
  const [tag, folder] = process.argv.slice(2);
  if (tag === undefined || folder === undefined) {
    throw new Stop(
      'Name a tag and a folder: node scripts/release.mjs v1.0.0 packages.',
      wrongUsage,
    );
  }
  const notes = releaseNotes(readFileSync(inRoot('CHANGELOG.md'), 'utf8'), tag);
  if (notes === undefined)
    throw new Stop(`CHANGELOG.md has no notes for ${tag}. Add a section for it.`);
  const assets = join(folder, 'assets');
  rmSync(assets, { recursive: true, force: true });
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const system of readdirSync(folder).toSorted()) {
    for (const entry of readdirSync(join(folder, system), {
      withFileTypes: true,
      recursive: true,
    })) {
      if (!entry.isFile()) continue;
      const name = perSystem.get(entry.name)?.(system) ?? entry.name;
      if (files.has(name))
        throw new Stop(
          `Two systems have a file named ${name}, the second in ${system}. Rename one of them.`,
        );
      files.set(name, join(entry.parentPath, entry.name));
    }
  }
  mkdirSync(assets);
  const sums = [...files.keys()].toSorted().map((name) => {
    const file = files.get(name) ?? '';
    copyFileSync(file, join(assets, name));
    return `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${name}\n`;
  });
  writeFileSync(join(assets, 'SHA256SUMS'), sums.join(''));
  writeFileSync(join(folder, 'notes.md'), notes);
  say(`Collected ${files.size} files for ${basename(tag)}.`);
});
