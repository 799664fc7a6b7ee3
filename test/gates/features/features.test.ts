import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { featuresIn, readFeatureTable } from './feature-table.ts';

// What the page calls is there in each Chromium that it may run in: of the Electron of the tests, and of the one that is
// shipped, which was never run. The table says what came or went between them, by name.

const table = readFeatureTable();

/** All that a page is made of. */
const files = ['renderer', 'shared'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(css|tsx?)$/.test(path)),
);

/** Fields and properties of our own values, which are called as something young is; each was looked at. */
const ownWords: ReadonlySet<string> = new Set(
  'bytes command days first flip last milliseconds minutes phrase phrases run seconds since use year zip'.split(
    ' ',
  ),
);
const nameOf = (found: string): string => /: (\S+) \(/.exec(found)?.[1] ?? '';

describe('web features of the page', () => {
  it('are there from the oldest Chromium to the newest', () => {
    expect(files.length).toBeGreaterThan(300);
    const young = files.flatMap((path) => featuresIn(path, readFileSync(path, 'utf8'), table));
    expect(young.filter((one) => !ownWords.has(nameOf(one))).join('\n')).toBe('');
    expect(new Set(young.map(nameOf)), 'words that nobody uses any more').toEqual(ownWords);
  });

  it('are found where they are too young, or gone, in styles and in modules', () => {
    const style = `@function --a() { result: 1px }
      .a::details-content { reading-flow: flex-visual; appearance: base-select; inset: sign(1px) }`;
    expect(featuresIn('a.css', style, table)).toEqual([
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
    expect(featuresIn('a.tsx', module, table)).toEqual([
      'a.tsx: moveBefore (name, Chromium since 133)',
      'a.tsx: toBase64 (name, Chromium since 140)',
      'a.tsx: sharedStorage (name, Chromium until 152)',
      'a.tsx: Temporal (name, Chromium since 144)',
      'a.tsx: closedby (attribute, Chromium since 134)',
    ]);
  });

  it('are held against the Electron that is shipped, and what the page is built for', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    // Another one: write the table anew, with scripts/young-features.mjs.
    expect(devDependencies['electron']).toMatch(new RegExp(`^${table.electron.newest}\\.`));
    const build = readFileSync('electron.vite.config.ts', 'utf8');
    expect(build).toContain(`target: 'chrome${table.chromium.oldest}'`);
  });
});
