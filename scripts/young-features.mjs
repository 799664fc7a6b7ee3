import { readFile, writeFile } from 'node:fs/promises';
import { inRoot } from './lib/root.mjs';
import { main } from './lib/main.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';

// `node scripts/young-features.mjs DATA.json VERSIONS.json` regenerates test/gates/young-features.txt from
// @mdn/browser-compat-data (CC0) and electron-to-chromium. They are not dependencies, because only a new Electron
// changes the table.

/** The Electron of the tests, the oldest that Parley's page runs in. */
const oldestElectron = 33;

/**
 * @typedef {{ version_added?: unknown, version_removed?: unknown, flags?: unknown, prefix?: unknown, alternative_name?: unknown }} Support
 * @typedef {{ kind: string, name: string, added: number, removed: number }} Feature
 */

/** @param {unknown} version */
const parseVersion = (version) =>
  typeof version === 'string' ? Number(version.replace('≤', '')) : Number.NaN;

/** Maps paths of the data to kinds and names of features; details inside a feature have no name. @type {readonly [RegExp, string][]} */
const kindPatterns = [
  [/^css\.properties\.([a-z-]+)$/, 'property'],
  [/^css\.properties\.([a-z-]+\.[a-z-]+)$/, 'value'],
  [/^css\.at-rules\.([a-z-]+)$/, 'rule'],
  [/^css\.selectors\.([a-z-]+)$/, 'selector'],
  [/^css\.types\.(?:[a-z-]+\.)?([a-z-]+)$/, 'function'],
  [/^(?:api|javascript\.builtins)\.(\w+)$/, 'name'],
  [/^api\.\w+\.([a-z]\w*?)(?:_static|_event)?$/, 'name'],
  [/^javascript\.builtins\.(?:\w+\.)+([a-z]\w*)$/, 'name'],
  [/^html\.elements\.\w+\.([a-z-]+)$/, 'attribute'],
  [/^html\.global_attributes\.([a-z-]+)$/, 'attribute'],
];

/**
 * @param {Record<string, unknown>} tree
 * @param {string} path
 * @returns {Feature[]}
 */
const featuresIn = (tree, path) =>
  Object.entries(tree).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    if (key !== '__compat')
      return featuresIn(
        /** @type {Record<string, unknown>} */ (value),
        path === '' ? key : `${path}.${key}`,
      );
    const found = kindPatterns
      .map(([pattern, kind]) => ({ kind, name: pattern.exec(path)?.[1] }))
      .find(({ name }) => name !== undefined);
    if (found?.name === undefined) return [];
    const { support } = /** @type {{ support: Record<string, Support | Support[]> }} */ (value);
    const unprefixed = [support['chrome'] ?? []]
      .flat()
      .filter((entry) => !entry.flags && !entry.prefix && !entry.alternative_name);
    const added = Math.min(
      ...unprefixed.map((entry) => parseVersion(entry.version_added) || Infinity),
    );
    const isStillSupported = unprefixed.some((entry) =>
      Number.isNaN(parseVersion(entry.version_removed)),
    );
    const removed = Math.max(
      ...unprefixed.map((entry) => parseVersion(entry.version_removed) || 0),
    );
    return [
      { kind: found.kind, name: found.name, added, removed: isStillSupported ? Infinity : removed },
    ];
  });

/**
 * @template Value
 * @param {string} path
 * @returns {Promise<Value>}
 */
const readJson = async (path) => /** @type {Value} */ (JSON.parse(await readFile(path, 'utf8')));

await main(async () => {
  const [data, versions] = process.argv.slice(2);
  if (data === undefined || versions === undefined) {
    throw new Stop(
      'Name two files: data.json of @mdn/browser-compat-data and versions.json of electron-to-chromium.',
      wrongUsage,
    );
  }
  /** @type {{ devDependencies: { electron: string } }} */
  const { devDependencies } = await readJson(inRoot('package.json'));
  const shipped = Number.parseInt(devDependencies.electron, 10);
  /** @type {Record<string, string>} */
  const chromiums = await readJson(versions);
  const [from, to] = [oldestElectron, shipped].map((version) => Number(chromiums[`${version}.0`]));
  if (!from || !to)
    throw new Stop(`${versions} does not list Electron ${shipped}. Download a newer one.`);
  /** @type {{ __meta: { version: string } } & Record<'css' | 'api' | 'javascript' | 'html', object>} */
  const { __meta: meta, css, api, javascript, html } = await readJson(data);
  const features = featuresIn({ css, api, javascript, html }, '');
  /** @type {Map<string, { added: number, removed: number }>} several features may share a name; the oldest counts */
  const names = new Map();
  for (const { kind, name, added, removed } of features) {
    const known = names.get(`${kind} ${name}`) ?? { added: Infinity, removed: 0 };
    names.set(`${kind} ${name}`, {
      added: Math.min(known.added, added),
      removed: Math.max(known.removed, removed),
    });
  }
  /** @type {Map<string, string[]>} */
  const lines = new Map();
  for (const [name, { added, removed }] of names) {
    const [kind = '', word = ''] = name.split(' ');
    const isYoung = added > from && added !== Infinity;
    const isRemoved = added <= from && removed > from && removed <= to;
    if (!isYoung && !isRemoved) continue;
    const head = isYoung ? `since ${added} ${kind}` : `until ${removed} ${kind}`;
    lines.set(head, [...(lines.get(head) ?? []), word]);
  }
  const text = [
    `# Names that a page cannot use in every Chromium from ${from} (Electron ${oldestElectron}) to ${to} (Electron ${shipped}), written by scripts/young-features.mjs`,
    `# from @mdn/browser-compat-data ${meta.version} (CC0) and electron-to-chromium.`,
    ...[...lines].map(([head, words]) => `${head}: ${words.toSorted().join(' ')}`).toSorted(),
    '',
  ].join('\n');
  await writeFile(inRoot('test', 'gates', 'young-features.txt'), text);
  say(`Wrote ${[...lines.values()].flat().length} names of ${features.length} features.`);
});
