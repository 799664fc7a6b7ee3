import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const entries = (folder: string) => readdirSync(folder, { withFileTypes: true });
const filesOf = (folder: string): readonly string[] =>
  entries(folder).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
const roomsOf = (folder: string): readonly string[] =>
  entries(folder).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));

/** A folder and all that are in it. */
const allRooms = (folder: string): readonly string[] => [
  folder,
  ...roomsOf(folder).flatMap((room) => allRooms(room)),
];

it('electron/ holds its four entries and at most fourteen rooms', () => {
  expect(filesOf('electron').toSorted()).toEqual(['browser.ts', 'cli.ts', 'main.ts', 'preload.ts']);
  expect(roomsOf('electron').length).toBeLessThanOrEqual(14);
});

it('no room of the page has more than 30 files', () => {
  const crowded = allRooms('renderer').filter((room) => filesOf(room).length > 30);
  expect(crowded).toEqual([]);
});
