import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { inRoot } from '../../scripts/lib/root.mjs';
import { findUnlistedFiles, readCallPaths } from '../../scripts/lib/call-paths.mjs';
import { traceCallPaths } from './trace/trace-call-paths.ts';
import type { TracedCallPath } from './trace/trace-call-paths.ts';

vi.mock('electron', () => import('../fakes/fake-electron.ts'));

const documentedPaths = readCallPaths(readFileSync(inRoot('docs/architecture.md'), 'utf8'));
let traced: ReadonlyMap<string, TracedCallPath>;

beforeAll(async () => {
  traced = await traceCallPaths();
  // `node scripts/call-paths.mjs --traced` reads and prints them.
  const file = process.env['PARLEY_TRACED'];
  if (file !== undefined) writeFileSync(file, JSON.stringify(Object.fromEntries(traced)));
}, 60_000);

/** Files beside a path that import its files. */
const watchers = new Set([
  // A file on the path asks it whether anybody listens.
  'electron/talk/wire-watcher.ts',
  // Each block asks it whether it contains speech.
  'electron/audio/capture/microphone.ts',
]);

/** Composition roots import everything; while a path runs they only read settings. */
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
  'the call path %s, when a real talk runs it',
  (name) => {
    const getPath = () => traced.get(name)?.path ?? [];

    it('leads from one end to the other', () => {
      expect(getPath().length).toBeGreaterThan(5);
      expect(traced.get(name)?.executed.length).toBeGreaterThanOrEqual(getPath().length);
    });

    it('passes through documented files only', () => {
      const documented = documentedPaths.find((path) => path.name === name);
      if (documented === undefined) throw new Error(`docs/architecture.md does not show ${name}.`);
      expect(findUnlistedFiles(documented, getPath())).toEqual([]);
    });

    it('is the only path: other files that run do not import its files', () => {
      const documented = documentedPaths.find((path) => path.name === name);
      if (documented === undefined) throw new Error(`docs/architecture.md does not show ${name}.`);
      const otherFiles = findUnlistedFiles(documented, traced.get(name)?.executed ?? []).filter(
        (file) => !watchers.has(file) && !isCompositionRoot(file),
      );
      const importers = otherFiles.filter((file) =>
        importedAtRuntime(file).some((imported) => documented.files.includes(imported)),
      );
      expect(otherFiles.length).toBeGreaterThan(5);
      expect(importers).toEqual([]);
    });

    it('fails if the documentation lacks a file', () => {
      const [first = '', ...files] = getPath();
      expect(findUnlistedFiles({ name, files }, getPath())).toEqual([first]);
    });
  },
);
