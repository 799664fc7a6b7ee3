import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { inRoot } from '../../scripts/lib/root.mjs';
import { findUnlistedFiles, readWays } from '../../scripts/lib/ways.mjs';
import { walkWays } from './walk/walk-ways.ts';
import type { WalkedWay } from './walk/walk-ways.ts';

vi.mock('electron', () => import('../fakes/fake-electron.ts'));

const documentedWays = readWays(readFileSync(inRoot('docs/architecture.md'), 'utf8'));
let walked: ReadonlyMap<string, WalkedWay>;

beforeAll(async () => {
  walked = await walkWays();
  // `node scripts/ways.mjs --walked` reads and prints them.
  const file = process.env['PARLEY_WALKED'];
  if (file !== undefined) writeFileSync(file, JSON.stringify(Object.fromEntries(walked)));
}, 60_000);

/** They create a file on the way, and it asks them whether anybody listens. */
const watchers = new Set([
  'electron/talk/wire-watcher.ts',
  // Each block asks it whether it contains speech.
  'electron/audio/capture/microphone.ts',
]);

/** Composition roots import everything; while the way runs they only read settings. */
const isCompositionRoot = (file: string): boolean =>
  (file.startsWith('electron/app/') && !file.startsWith('electron/app/ipc/')) ||
  file === 'electron/audio/devices/sound-devices.ts';

/** Modules that a file imports at run time, without type imports. */
function importedAtRuntime(file: string): readonly string[] {
  const imports = readFileSync(inRoot(file), 'utf8').matchAll(
    /^import (?!type )[^;]*?from '(\.[^']*)';/gms,
  );
  return [...imports].map(([, from = '']) => join(dirname(file), from));
}

describe.each(['microphone to websocket', 'delta to speaker callback', 'click to silence'])(
  'the way %s, when a real talk runs it',
  (name) => {
    const getPath = () => walked.get(name)?.path ?? [];

    it('leads from one end to the other', () => {
      expect(getPath().length).toBeGreaterThan(5);
      expect(walked.get(name)?.executed.length).toBeGreaterThanOrEqual(getPath().length);
    });

    it('passes through documented files only', () => {
      const way = documentedWays.find((way) => way.name === name);
      if (way === undefined) throw new Error(`docs/architecture.md does not show ${name}.`);
      expect(findUnlistedFiles(way, getPath())).toEqual([]);
    });

    it('is the only path: other files that run do not import its files', () => {
      const way = documentedWays.find((way) => way.name === name);
      if (way === undefined) throw new Error(`docs/architecture.md does not show ${name}.`);
      const otherFiles = findUnlistedFiles(way, walked.get(name)?.executed ?? []).filter(
        (file) => !watchers.has(file) && !isCompositionRoot(file),
      );
      const importers = otherFiles.filter((file) =>
        importedAtRuntime(file).some((imported) => way.files.includes(imported)),
      );
      expect(otherFiles.length).toBeGreaterThan(5);
      expect(importers).toEqual([]);
    });

    it('would report a file that the documentation lacks', () => {
      const [first = '', ...files] = getPath();
      expect(findUnlistedFiles({ name, files }, getPath())).toEqual([first]);
    });
  },
);
