import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { billOfMaterials } from '../../scripts/package/shipped-parts.mjs';
import { metainfoFile, mimeFile } from '../../scripts/package/desktop-files.mjs';
import { loadPackagingTexts } from '../../scripts/package/load-product.mjs';
import { setOriginLibraryPath } from '../../scripts/package/elf-file.mjs';
import { workFolder } from '../fakes/work-folder.ts';

const root = resolve(import.meta.dirname, '../..');

interface Configuration {
  readonly mac: {
    readonly extendInfo: Readonly<Record<string, string>>;
    readonly entitlements: string;
    readonly hardenedRuntime: boolean;
  };
  readonly [part: string]: unknown;
}

/** electron-builder's own config reader and schema. */
interface Builder {
  readonly getConfig: (folder: string, path: null, options: null) => Promise<Configuration>;
  readonly validateConfiguration: (config: object, log: object) => Promise<void>;
}

let builder: Builder;
let configuration: Configuration;

beforeAll(async () => {
  const builderPackage = createRequire(import.meta.url).resolve('electron-builder');
  builder = createRequire(builderPackage)('app-builder-lib/out/util/config/config') as Builder;
  configuration = await builder.getConfig(root, null, null);
});

const judge = (config: object) => builder.validateConfiguration(config, { isEnabled: false });

describe('electron-builder.yml', () => {
  it('matches electron-builder’s schema, for all three systems', async () => {
    expect(configuration).toMatchObject({ linux: {}, mac: {}, win: {}, nsis: {} });
    await expect(judge(configuration)).resolves.toBeUndefined();
    await expect(judge({ ...configuration, wim: {} })).rejects.toThrow(/unknown property 'wim'/);
  });

  it('takes macOS’s permission texts from the language tables', async () => {
    const [english] = await loadPackagingTexts();
    expect(configuration.mac.extendInfo).toEqual({
      NSMicrophoneUsageDescription: english?.texts.microphone,
      NSCameraUsageDescription: english?.texts.camera,
    });
  });
});

describe('the files of a system package', () => {
  const release = { version: '1.0.0', date: '2026-01-02', homepage: 'https://parley.example' };

  it('translate their texts with the XML attribute for languages', async () => {
    const languages = await loadPackagingTexts();
    const [, chinese] = languages;
    const { summary, tape } = chinese?.texts ?? {};
    expect(metainfoFile(languages, release)).toContain(`<summary xml:lang="zh">${summary}<`);
    expect(mimeFile(languages)).toContain(`<comment xml:lang="zh">${tape}<`);
  });

  it('name Parley as the component that the bill of materials describes', async () => {
    const bill = JSON.parse(await billOfMaterials('33.0.0', root)) as { readonly metadata: object };
    expect(bill.metadata).toMatchObject({ component: { type: 'application', name: 'parley' } });
  });
});

describe('the search path of the audio binding', () => {
  it('changes from the build folder to the addon’s own folder', (context) => {
    if (process.platform !== 'linux') context.skip('only Linux addons carry a search path');
    // Linked as npm links naudiodon; a package may already contain the corrected one.
    const at = workFolder();
    const addon = at('naudiodon.node');
    const args = ['-shared', '-o', addon, `-Wl,-rpath,${at('build/Release')}`];
    const { status, error } = spawnSync('cc', [...args, '-x', 'c', '/dev/null']);
    if (status !== 0) context.skip(`nothing can be linked here: ${error?.message ?? status}`);
    const before = statSync(addon).size;
    expect(setOriginLibraryPath(addon)).toBe(at('build/Release'));
    expect(setOriginLibraryPath(addon)).toBe('$ORIGIN');
    expect(statSync(addon).size).toBe(before);
  });

  it('is an error in a file of another format', () => {
    const other = workFolder()('other.node');
    writeFileSync(other, 'MZ');
    expect(() => setOriginLibraryPath(other)).toThrow(/is not a 64-bit ELF file$/);
  });
});
