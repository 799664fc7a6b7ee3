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
  ...listFolders(folder).flatMap((room) => listAllFolders(room)),
];

it('electron/ holds its four entries and at most fourteen rooms', () => {
  expect(listFiles('electron').toSorted()).toEqual([
    'browser.ts',
    'cli.ts',
    'main.ts',
    'preload.ts',
  ]);
  expect(listFolders('electron').length).toBeLessThanOrEqual(14);
});

it('no room of the page has more than 30 files', () => {
  const crowded = listAllFolders('renderer').filter((room) => listFiles(room).length > 30);
  expect(crowded).toEqual([]);
});
