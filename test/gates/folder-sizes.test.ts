import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const entries = (folder: string) => readdirSync(folder, { withFileTypes: true });
const listFiles = (folder: string): readonly string[] =>
  entries(folder).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
const listFolders = (folder: string): readonly string[] =>
  entries(folder).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));

/** A folder and all its subfolders. */
const listAllFolders = (folder: string): readonly string[] => [
  folder,
  ...listFolders(folder).flatMap((subfolder) => listAllFolders(subfolder)),
];

it('electron/ has its four entries and at most fourteen folders', () => {
  expect(listFiles('electron').toSorted()).toEqual([
    'browser.ts',
    'cli.ts',
    'main.ts',
    'preload.ts',
  ]);
  expect(listFolders('electron').length).toBeLessThanOrEqual(14);
});

it('no folder of renderer/ has more than 30 files', () => {
  const crowded = listAllFolders('renderer').filter((folder) => listFiles(folder).length > 30);
  expect(crowded).toEqual([]);
});
