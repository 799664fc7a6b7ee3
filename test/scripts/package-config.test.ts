import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { billOfMaterials } from '../../scripts/package/shipped-parts.mjs';
import { metainfoFile, mimeFile } from '../../scripts/package/desktop-files.mjs';
import { loadPackagingTexts } from '../../scripts/package/load-product.mjs';

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
