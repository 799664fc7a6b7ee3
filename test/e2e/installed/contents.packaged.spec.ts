import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { processorOf } from '../../../scripts/package/elf-file.mjs';
import { expect, test } from '../fixtures/host-test.ts';
import { shippedProgram } from '../fixtures/inspectable-package.ts';

const root = resolve(import.meta.dirname, '../../..');
const shipped = join(shippedProgram, '..');
const archive = join(shipped, 'resources/app.asar');

interface AsarFolder {
  readonly files?: Readonly<Record<string, AsarFolder>>;
}

/** The files of the archive, packed or unpacked, from its JSON header. */
function filesInArchive(): readonly string[] {
  const bytes = readFileSync(archive);
  const length = bytes.readUInt32LE(12);
  const walk = ({ files }: AsarFolder, path: string): readonly string[] =>
    files === undefined
      ? [path]
      : Object.entries(files).flatMap(([name, entry]) =>
          walk(entry, path === '' ? name : `${path}/${name}`),
        );
  return walk(JSON.parse(bytes.toString('utf8', 16, 16 + length)) as AsarFolder, '');
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

test('the package contains runtime files only: no sources, tests or build tools', () => {
  const files = filesInArchive();
  expect(files).toContain('out/main/main.js');
  const mustNot =
    /\.(map|tsx?|[cm]ts|h|cc|cpp|gyp)$|(^|\/)(tests?|specs?|__tests__|examples?|docs?|src|\.github)\/|\.(test|spec)\./u;
  expect(files.filter((file) => mustNot.test(file))).toEqual([]);
  expect(new Set(files.map((file) => file.split('/')[0]))).toEqual(
    new Set(['out', 'package.json', 'resources', 'node_modules']),
  );
  // Another system's tray icons stand for many files that could slip in.
  expect([...new Set(files.map((file) => /^resources\/(tray\/)?\w+/u.exec(file)?.[0]))]).toEqual(
    expect.arrayContaining([undefined, `resources/tray/${process.platform}`]),
  );
  expect(files.filter((file) => /tray\/(?!linux)/u.test(file))).toEqual([]);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const packages = new Set(
    files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(file)?.[1] ?? []),
  );
  expect(packages.size).toBeGreaterThan(10);
  const onlyBuilding = [...packages].filter(
    (name) => lock.packages[`node_modules/${name}`]?.dev === true,
  );
  expect(onlyBuilding).toEqual([]);
});

test('every binary in the package is for this processor', () => {
  const kinds = new Map<string, readonly string[]>();
  for (const file of filesUnder(shipped)) {
    const processor = processorOf(join(shipped, file));
    if (processor !== 'none') kinds.set(processor, [...(kinds.get(processor) ?? []), file]);
  }
  expect([...kinds.keys()]).toEqual([process.arch]);
  expect(kinds.get(process.arch)).toEqual(
    expect.arrayContaining([expect.stringMatching(/naudiodon\.node$/u)]),
  );
});

test('the package lists the licence of every part', () => {
  const texts = readFileSync(join(shipped, 'LICENSES.parley.txt'), 'utf8');
  const named = new Set([...texts.matchAll(/^={80}\n(\S+)/gm)].map(([, name]) => name));
  const packages = new Set(
    filesInArchive().flatMap(
      (file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(file)?.[1] ?? [],
    ),
  );
  // The sound addon is part of Parley.
  packages.delete('parley-sound');
  expect([...packages].filter((name) => !named.has(name))).toEqual([]);
  for (const inside of ['PortAudio', 'libvips', 'libuiohook', 'Silero-VAD', 'react', 'electron']) {
    expect(named, inside).toContain(inside);
  }
  expect(readdirSync(shipped)).toContain('LICENSES.chromium.html');
});

test('the SBOM lists the versions of Electron and of five libraries', () => {
  const text = readFileSync(join(shipped, 'parley.cdx.json'), 'utf8');
  const { bomFormat, components } = JSON.parse(text) as {
    readonly bomFormat: string;
    readonly components: readonly { readonly name: string; readonly version?: string }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const listed = new Map(components.map(({ name, version }) => [name, version]));
  const electron = readFileSync(join(shipped, 'version'), 'utf8').trim().replace(/^v/u, '');
  expect(listed.get('electron')).toBe(electron);
  for (const name of ['ws', 'zod', 'wasm-vips', 'react', 'radix-ui']) {
    const file = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
    expect(listed.get(name), name).toBe((JSON.parse(file) as { readonly version: string }).version);
  }
  expect(text).not.toContain(root);
});
