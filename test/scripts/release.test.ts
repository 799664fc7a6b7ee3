import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { releaseNotes } from '../../scripts/package/release-notes.mjs';
import { runTool } from '../contract/sound/run-tool.ts';
import { workFolder } from '../fakes/work-folder.ts';
import manifest from '../../package.json' with { type: 'json' };

const script = resolve(import.meta.dirname, '../../scripts/release.mjs');

describe('the notes of a release', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.1.0 (May)\n\n- Old.\n- Older.\n\n## 1.0.0\n';

  it.each([
    ['v1.1.0', '- Old.\n- Older.\n'],
    ['v1.2.0', '- New.\n'],
    ['v1.0.0', undefined],
  ])('of %s are the changelog’s section for it, or else the unreleased one', (tag, notes) => {
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

  it('must have different names on each system', async () => {
    const folder = workFolder()('packages');
    put(folder, { 'a/Parley.zip': '1', 'b/Parley.zip': '2' });
    const { code, stderr } = await runTool(process.execPath, [script, 'v0.1.0', folder]);
    expect([code, stderr]).toEqual([
      1,
      'Two systems have a file named Parley.zip, the second in b. Rename one of them.\n',
    ]);
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

it('the release workflow lists every kind of package', () => {
  const release = readFileSync(join(workflowFolder, 'release.yml'), 'utf8');
  const kinds = [...release.matchAll(/release\/\*\.([\w.]+)/g)].map(([, kind]) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining(['AppImage', 'deb', 'dmg', 'exe', 'rpm', 'tar.gz', 'zip']),
  );
});
