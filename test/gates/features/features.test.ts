import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findUnsupportedFeatures, readFeatureTable } from './feature-table.ts';

// The page uses only features of every Chromium that it may run in: from the Electron of the tests to the shipped one.
// The table lists the features that came or went between them.

const table = readFeatureTable();

const files = ['renderer', 'shared'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(css|tsx?)$/.test(path)),
);

/** Members of our own types that share a name with a new feature; each was checked. */
const ownMembers: ReadonlySet<string> = new Set(
  'bytes command days first flip last milliseconds minutes phrase phrases run seconds since use year zip'.split(
    ' ',
  ),
);
const readName = (found: string): string => /: (\S+) \(/.exec(found)?.[1] ?? '';

describe('web features of the page', () => {
  it('exist in every Chromium from the oldest to the newest', () => {
    expect(files.length).toBeGreaterThan(300);
    const unsupported = files.flatMap((path) =>
      findUnsupportedFeatures(path, readFileSync(path, 'utf8'), table),
    );
    expect(unsupported.filter((feature) => !ownMembers.has(readName(feature))).join('\n')).toBe('');
    expect(new Set(unsupported.map(readName)), 'names that no code uses').toEqual(ownMembers);
  });

  it('are reported in styles and modules if they are too new or removed', () => {
    const style = `@function --a() { result: 1px }
      .a::details-content { reading-flow: flex-visual; appearance: base-select; inset: sign(1px) }`;
    expect(findUnsupportedFeatures('a.css', style, table)).toEqual([
      'a.css: reading-flow (property, Chromium since 137)',
      'a.css: reading-flow.flex-visual (value, Chromium since 137)',
      'a.css: appearance.base-select (value, Chromium since 135)',
      'a.css: function (rule, Chromium since 139)',
      'a.css: details-content (selector, Chromium since 131)',
      'a.css: sign (function, Chromium since 138)',
    ]);
    const module = `// new Observable()
      list.moveBefore(new Temporal.Duration(1)); const it = <dialog closedby="any" />;
      bytes.toBase64(); window.sharedStorage;`;
    expect(findUnsupportedFeatures('a.tsx', module, table)).toEqual([
      'a.tsx: moveBefore (name, Chromium since 133)',
      'a.tsx: toBase64 (name, Chromium since 140)',
      'a.tsx: sharedStorage (name, Chromium until 152)',
      'a.tsx: Temporal (name, Chromium since 144)',
      'a.tsx: closedby (attribute, Chromium since 134)',
    ]);
  });

  it('are checked against the shipped Electron and the build target', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    // If this fails, regenerate the table with scripts/young-features.mjs.
    expect(devDependencies['electron']).toMatch(new RegExp(`^${table.electron.newest}\\.`));
    const build = readFileSync('electron.vite.config.ts', 'utf8');
    expect(build).toContain(`target: 'chrome${table.chromium.oldest}'`);
  });
});
