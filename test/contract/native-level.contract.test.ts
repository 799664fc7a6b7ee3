import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeHeaderFolder } from '../../scripts/lib/node-header-folder.mjs';
import { elfFilesIn } from '../../scripts/package/elf-file.mjs';

/** Of every Node and Electron that Parley is to run in: Electron 33 has Node 20, with 9, and newer ones more. */
const levelOfAll = 9;

const root = resolve(import.meta.dirname, '../..');
const modules = join(root, 'node_modules');
const parts = ['naudiodon/build/Release', 'parley-sound/build/Release', '@img', 'uiohook-napi']
  .flatMap((folder) => elfFilesIn(join(modules, folder)))
  .filter((file) => file.endsWith('.node'))
  .map((file) => relative(modules, file))
  .filter((file) => !/obj\.target|prebuilds\/(?!linux-x64)/.test(file));

/** From which level on there is what, as the headers have it; what may still change is of none. */
function levels(): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  const open: number[] = [];
  const folder = nodeHeaderFolder();
  for (const header of ['js_native_api.h', 'node_api.h']) {
    for (const line of readFileSync(join(folder, header), 'utf8').split('\n')) {
      const asked = /^#if NAPI_VERSION >= (\d+)/.exec(line)?.[1];
      if (line.startsWith('#if')) {
        open.push(line.includes('NAPI_EXPERIMENTAL') ? Infinity : Number(asked ?? 1));
      } else if (line.startsWith('#else')) open.splice(-1, 1, 1);
      else if (line.startsWith('#endif')) open.pop();
      const name = /\b((?:napi|node_api)_\w+)\(/.exec(line);
      if (name?.[1] !== undefined) known.set(name[1], Math.max(1, ...open));
    }
  }
  return known;
}

/** The names in its table, asked for or its own. */
const namesIn = (file: string): readonly string[] =>
  readFileSync(file, 'latin1').match(/(?<=\0)[A-Za-z_][\w]+(?=\0)/g) ?? [];

describe.skipIf(process.platform !== 'linux')('what the native parts ask of their host', () => {
  it('is looked at in each of them', () => {
    expect(parts.map((file) => file.split('/')[0])).toEqual(
      expect.arrayContaining(['naudiodon', 'parley-sound', '@img', 'uiohook-napi']),
    );
  });

  it.for(parts)('is N-API as every host has it, and nothing of V8: %s', (file) => {
    const known = levels();
    const names = namesIn(join(modules, file));
    const asked = names.filter((name) => known.has(name));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => (known.get(name) ?? 0) > levelOfAll)).toEqual([]);
    expect(names.filter((name) => /^_ZNK?(2v8|4node)\d/.test(name))).toEqual([]);
  });
});

describe('the types that calls of Electron are checked by', () => {
  it('are those of the Electron that ships', () => {
    const load = createRequire(import.meta.url);
    const { version } = load('electron/package.json') as { readonly version: string };
    const { devDependencies } = load('../../package.json') as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    expect(version).toBe(devDependencies['electron']);
    const types = readFileSync(join(modules, 'electron/electron.d.ts'), 'utf8');
    expect(types).toContain(`// Type definitions for Electron ${version}`);
  });
});
