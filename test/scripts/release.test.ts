import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import { releaseNotes } from '../../scripts/package/release-notes.mjs';
import { runTool } from '../contract/sound/run-tool.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { judgeAdvisories } from '../../scripts/package/judge-advisories.mjs';
import { metainfoFile, mimeFile } from '../../scripts/package/desktop-files.mjs';
import { loadPackagingTexts } from '../../scripts/package/load-product.mjs';
import { setOriginLibraryPath } from '../../scripts/package/elf-file.mjs';
import manifest from '../../package.json';

const script = resolve(import.meta.dirname, '../../scripts/release.mjs');

describe('the notes of a release', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.1.0 (May)\n\n- Old.\n- Older.\n\n## 1.0.0\n';

  it.each([
    ['v1.1.0', '- Old.\n- Older.\n'],
    ['v1.2.0', '- New.\n'],
    ['v1.0.0', undefined],
  ])('of %s are its section of the changelog, or else the unreleased section', (tag, notes) => {
    expect(releaseNotes(changelog, tag)).toBe(notes);
  });
});

describe('the files of a release', () => {
  const put = (folder: string, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      const file = join(folder, name);
      mkdirSync(resolve(file, '..'), { recursive: true });
      writeFileSync(file, text);
    }
  };

  it('are collected from all systems, under unique names, with checksums', async () => {
    const folder = workFolder()('packages');
    put(folder, {
      'parley-linux/Parley.deb': 'deb',
      'parley-linux/linux-unpacked/parley.cdx.json': '{}',
      'parley-mac/Parley.dmg': 'dmg',
      'parley-mac/mac/Parley.app/Contents/Resources/parley.cdx.json': '{"mac":1}',
    });
    const { code, stderr } = await runTool(process.execPath, [script, 'v0.1.0', folder]);
    expect(code, stderr).toBe(0);
    expect(readdirSync(join(folder, 'assets')).toSorted()).toEqual([
      'Parley.deb',
      'Parley.dmg',
      'SHA256SUMS',
      'parley-linux.cdx.json',
      'parley-mac.cdx.json',
    ]);
    const sums = readFileSync(join(folder, 'assets/SHA256SUMS'), 'utf8');
    expect(sums).toMatch(/^[0-9a-f]{64} {2}Parley\.deb$/m);
    expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toMatch(/^### Added/);
  });
});

const workflowFolder = resolve(import.meta.dirname, '../../.github/workflows');
const scripts = new Set(Object.keys(manifest.scripts));

describe.each(readdirSync(workflowFolder))('the workflow %s', (name) => {
  const text = readFileSync(join(workflowFolder, name), 'utf8');

  it('runs only commands that package.json has', () => {
    const run = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, script]) => script ?? '');
    expect(run.length).toBeGreaterThan(0);
    expect(run.filter((script) => !scripts.has(script))).toEqual([]);
  });

  it('has read-only permissions by default, and passes no secrets to pull requests', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    if (/pull_request/.test(text)) expect(text).not.toContain('secrets.');
  });
});

const shipped = new Set(['electron', 'ws', 'sharp']);
const cause = { title: 'Use after free', url: 'https://advisories.invalid/1' };
const vulnerability = (
  name: string,
  severity: string,
  via: readonly (string | typeof cause)[] = [cause],
) => ({
  [name]: { name, severity, via: [...via] },
});

describe('a known vulnerability', () => {
  it('blocks a release if it is in a shipped part and its severity is high', () => {
    const vulnerabilities = {
      ...vulnerability('ws', 'high'),
      ...vulnerability('sharp', 'high', ['ws']),
    };
    expect(judgeAdvisories({ vulnerabilities }, shipped)).toEqual({
      blocking: ['ws, high: Use after free (https://advisories.invalid/1)'],
      reported: [],
    });
  });

  it.each([
    ['critical in a build tool', 'vite', 'critical'],
    ['moderate in a shipped part', 'ws', 'moderate'],
  ])('is only reported if it is %s', (_what, name, severity) => {
    expect(judgeAdvisories({ vulnerabilities: vulnerability(name, severity) }, shipped)).toEqual({
      blocking: [],
      reported: [expect.stringContaining(`${name}, ${severity}`)],
    });
  });
});

it('advisories have no verdict but a reason if the registry does not answer', () => {
  expect(judgeAdvisories({ message: '405' }, shipped)).toEqual({ reason: '405' });
});

describe('package config', () => {
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
  });
});
