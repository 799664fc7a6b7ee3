import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { inRoot } from '../../scripts/lib/root.mjs';
import { leftOut, readWays } from '../../scripts/lib/ways.mjs';
import { walkWays } from './walk/walk-ways.ts';
import type { Walked } from './walk/walk-ways.ts';

vi.mock('electron', () => import('../fakes/fake-electron.ts'));

const shown = readWays(readFileSync(inRoot('docs/architecture.md'), 'utf8'));
let walked: ReadonlyMap<string, Walked>;

beforeAll(async () => {
  walked = await walkWays();
  // `node scripts/ways.mjs --walked` prints them.
  const file = process.env['PARLEY_WALKED'];
  if (file !== undefined) writeFileSync(file, JSON.stringify(Object.fromEntries(walked)));
}, 60_000);

/** They put a file on the way that hands on, and are asked by it whether anybody watches. */
const watchers = new Set([
  'electron/talk/wire-watcher.ts',
  // Asked, as a block passes, whether somebody speaks in it.
  'electron/audio/capture/microphone.ts',
]);

/** Where parts are joined: what runs there later asks for a setting, and knows everything. */
const isJoint = (file: string): boolean =>
  (file.startsWith('electron/app/') && !file.startsWith('electron/app/ipc/')) ||
  file === 'electron/audio/devices/sound-devices.ts';

/** What a file takes from others, and not only their types. */
function importedAtRuntime(file: string): readonly string[] {
  const imports = readFileSync(inRoot(file), 'utf8').matchAll(
    /^import (?!type )[^;]*?from '(\.[^']*)';/gms,
  );
  return [...imports].map(([, from = '']) => join(dirname(file), from));
}

describe.each(['microphone to websocket', 'delta to speaker callback', 'click to silence'])(
  'the way from %s, when it is walked',
  (name) => {
    const pathOf = () => walked.get(name)?.path ?? [];

    it('leads from one end to the other', () => {
      expect(pathOf().length).toBeGreaterThan(5);
      expect(walked.get(name)?.executed.length).toBeGreaterThanOrEqual(pathOf().length);
    });

    it('leads through no file that the architecture leaves out', () => {
      const way = shown.find((one) => one.name === name);
      if (way === undefined) throw new Error(`docs/architecture.md does not show ${name}.`);
      expect(leftOut(way, pathOf())).toEqual([]);
    });

    it('is what leads on: of what runs beside it nothing knows the way', () => {
      const way = shown.find((one) => one.name === name);
      if (way === undefined) throw new Error(`docs/architecture.md does not show ${name}.`);
      const beside = leftOut(way, walked.get(name)?.executed ?? []).filter(
        (file) => !watchers.has(file) && !isJoint(file),
      );
      const leadsOn = beside.filter((file) =>
        importedAtRuntime(file).some((one) => way.files.includes(one)),
      );
      expect(beside.length).toBeGreaterThan(5);
      expect(leadsOn).toEqual([]);
    });

    it('would show a file that was left out', () => {
      const [first = '', ...files] = pathOf();
      expect(leftOut({ name, files }, pathOf())).toEqual([first]);
    });
  },
);
