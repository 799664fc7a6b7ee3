import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface FeatureTable {
  readonly electron: { readonly oldest: number; readonly newest: number };
  readonly chromium: { readonly oldest: number; readonly newest: number };
  /** Since or until which version of Chromium a feature exists, by the feature's kind and name. */
  readonly features: ReadonlyMap<string, string>;
}

/** Reads young-features.txt, which scripts/young-features.mjs writes. */
function readFeatureTable(): FeatureTable {
  const text = readFileSync(join(import.meta.dirname, 'young-features.txt'), 'utf8');
  const [head = '', ...lines] = text.split('\n');
  const [oldest, first, newest, last] =
    /Chromium from (\d+) \(Electron (\d+)\) to (\d+) \(Electron (\d+)\)/
      .exec(head)
      ?.slice(1)
      .map(Number) ?? [];
  if (!oldest || !first || !newest || !last)
    throw new Error('The table does not name its Chromium versions.');
  const features = new Map<string, string>();
  for (const line of lines) {
    const [, when = '', kind = '', words = ''] = /^(\w+ \d+) (\w+): (.+)$/.exec(line) ?? [];
    for (const word of words.split(' ')) if (word !== '') features.set(`${kind} ${word}`, when);
  }
  return {
    electron: { oldest: first, newest: last },
    chromium: { oldest, newest },
    features,
  };
}

type Use = readonly [kind: string, name: string];

const findNames = (kind: string, text: string, pattern: RegExp): readonly Use[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => [kind, name] as const);

function listStyleFeatures(style: string): readonly Use[] {
  const text = style.replaceAll(/\/\*[^]*?\*\//g, '');
  const declared = [...text.matchAll(/(?:^|[{;])\s*([a-z-]+)\s*:\s*([^;{}]+)/g)];
  const values = declared.flatMap(([, property = '', value = '']) =>
    findNames('value', value, /([a-z-]+)(?![\w(-])/g).map(([kind, word]): Use => [
      kind,
      `${property}.${word}`,
    ]),
  );
  return [
    ...declared.map(([, property = '']): Use => ['property', property]),
    ...values,
    ...findNames('rule', text, /@([a-z-]+)/g),
    ...findNames('selector', text, /::?([a-z-]+)(?=[\s,{(:.)>[+~])/g),
    ...findNames('function', text, /(?<![\w:-])([a-z-]+)\(/g),
  ];
}

function listModuleFeatures(module: string): readonly Use[] {
  const text = module.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  return [
    ...findNames('name', text, /[.]([A-Za-z]\w*)/g),
    ...findNames('name', text, /(?<![\w.'"`/<-])([A-Z]\w+)(?![\w'"`:])/g),
    ...findNames('attribute', text, /\s([a-z-]+)=[{"]/g),
  ];
}

/** Lists the features in a file that are missing from some Chromium the page may run in. */
function findUnsupportedFeatures(
  path: string,
  text: string,
  table: FeatureTable,
): readonly string[] {
  const uses = path.endsWith('.css') ? listStyleFeatures(text) : listModuleFeatures(text);
  const found = uses.flatMap(([kind, name]) => {
    const when = table.features.get(`${kind} ${name}`);
    return when === undefined ? [] : [`${path}: ${name} (${kind}, Chromium ${when})`];
  });
  return [...new Set(found)];
}

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
  'bytes command days first flip last milliseconds minutes phrase phrases run seconds since until use year zip'.split(
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
    const style = '.a::details-content { reading-flow: flex-visual; inset: sign(1px) }';
    expect(findUnsupportedFeatures('a.css', style, table)).toEqual([
      'a.css: reading-flow (property, Chromium since 137)',
      'a.css: reading-flow.flex-visual (value, Chromium since 137)',
      'a.css: details-content (selector, Chromium since 131)',
      'a.css: sign (function, Chromium since 138)',
    ]);
    const module = `// new Observable()
      list.moveBefore(new Temporal.Duration(1)); window.sharedStorage; <dialog closedby="any" />;`;
    expect(findUnsupportedFeatures('a.tsx', module, table)).toEqual([
      'a.tsx: moveBefore (name, Chromium since 133)',
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
