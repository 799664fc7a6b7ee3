import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { PictureThread } from '../../electron/platform/pictures/picture-thread.ts';
import { createNativeLibraries } from '../../electron/platform/system/native-libraries.ts';
import { nodeHeaderFolder } from '../../scripts/native/native-target.mjs';
import { elfFilesIn } from '../../scripts/package/elf-file.mjs';
import { nativeLibraryNames } from '../../shared/app/program.ts';
import { failure } from '../../shared/errors/app-error.ts';
import { FakeNativeLibraries } from '../fakes/fake-native-libraries.ts';

/** The lowest N-API version of a supported Node or Electron: Electron 33 has Node 20 with version 9. */
const minHostLevel = 9;

const root = resolve(import.meta.dirname, '../..');
const modules = join(root, 'node_modules');
const parts = ['naudiodon/build/Release', 'parley-sound/build/Release', '@img', 'uiohook-napi']
  .flatMap((folder) => elfFilesIn(join(modules, folder)))
  .filter((file) => file.endsWith('.node'))
  .map((file) => relative(modules, file))
  .filter((file) => !/obj\.target|prebuilds\/(?!linux-x64)/.test(file));

/** The N-API version of each function according to the headers; infinite for experimental ones. */
function levels(): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  const open: number[] = [];
  const folder = nodeHeaderFolder();
  for (const header of ['js_native_api.h', 'node_api.h']) {
    for (const line of readFileSync(join(folder, header), 'utf8').split('\n')) {
      const requiredLevel = /^#if NAPI_VERSION >= (\d+)/.exec(line)?.[1];
      if (line.startsWith('#if')) {
        open.push(line.includes('NAPI_EXPERIMENTAL') ? Infinity : Number(requiredLevel ?? 1));
      } else if (line.startsWith('#else')) open.splice(-1, 1, 1);
      else if (line.startsWith('#endif')) open.pop();
      const name = /\b((?:napi|node_api)_\w+)\(/.exec(line);
      if (name?.[1] !== undefined) known.set(name[1], Math.max(1, ...open));
    }
  }
  return known;
}

/** The names in a binary's symbol table, imported and exported. */
const namesIn = (file: string): readonly string[] =>
  readFileSync(file, 'latin1').match(/(?<=\0)[A-Za-z_][\w]+(?=\0)/g) ?? [];

describe('the native parts', () => {
  beforeEach(({ skip }) => {
    if (process.platform !== 'linux') skip('the symbol tables are read on Linux only');
  });

  it('include a binary of every native package', () => {
    expect(parts.map((file) => file.split('/')[0])).toEqual(
      expect.arrayContaining(['naudiodon', 'parley-sound', '@img', 'uiohook-napi']),
    );
  });

  it.for(parts)('use only N-API that every supported host has, and no V8: %s', (file) => {
    const known = levels();
    const names = namesIn(join(modules, file));
    const used = names.filter((name) => known.has(name));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => (known.get(name) ?? 0) > minHostLevel)).toEqual([]);
    expect(names.filter((name) => /^_ZNK?(2v8|4node)\d/.test(name))).toEqual([]);
  });
});

describe('the types of Electron’s API', () => {
  it('match the shipped Electron', () => {
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

const failing = (message: string) =>
  createNativeLibraries(
    { run: () => Promise.resolve(failure('noPictures', { error: message })) },
    () => {
      throw new Error(message);
    },
  );

describe.each([
  {
    name: 'real libraries',
    loading: createNativeLibraries(new PictureThread()),
    broken: failing('broken addon'),
  },
  {
    name: 'fake libraries',
    loading: new FakeNativeLibraries(),
    broken: new FakeNativeLibraries({
      portaudio: { state: 'fails', reason: 'broken addon. Reinstall it.' },
      libvips: { state: 'fails', reason: 'broken addon. Reinstall it.' },
    }),
  },
])('the $name', ({ loading, broken }) => {
  it.each(nativeLibraryNames)('report the loaded version of %s', async (library) => {
    expect(await loading.load(library)).toEqual({
      state: 'loads',
      detail: expect.stringMatching(/\d+\.\d+\.\d+/) as string,
    });
  });

  it.each(nativeLibraryNames)('explain in a message why %s fails', async (library) => {
    expect(await broken.load(library)).toEqual({
      state: 'fails',
      reason: expect.stringMatching(/^broken addon\. .+\.$/) as string,
    });
  });
});

describe('the error for a real library', () => {
  it('names a missing system library and the remedy', async () => {
    const message = 'libasound.so.2: cannot open shared object file: No such file or directory';
    expect(await failing(message).load('portaudio')).toEqual({
      state: 'fails',
      reason: `${message}. The system library libasound.so.2 is missing: install it and start Parley again.`,
    });
  });
});

const out = resolve(import.meta.dirname, '../../out');

it.each(['main', 'renderer/assets'])(
  '%s has only one-byte characters, unless the text is Chinese',
  (folder) => {
    const programs = readdirSync(resolve(out, folder)).filter((file) => file.endsWith('.js'));
    expect(programs.length).toBeGreaterThan(5);
    for (const file of programs) {
      const text = readFileSync(resolve(out, folder, file), 'utf8');
      const wide = text.match(/[\u0100-\uffff]/g)?.length ?? 0;
      expect(wide === 0 || wide > text.length / 10, `${file}: ${wide} such characters`).toBe(true);
    }
  },
);
