import { readFile, writeFile } from 'node:fs/promises';
import { inRoot } from './lib/root.mjs';
import { main } from './lib/main.mjs';
import { say } from './lib/say.mjs';
import { Stop, WRONG_USAGE } from './lib/stop.mjs';

// `node scripts/young-features.mjs DATA.json VERSIONS.json`: writes test/gates/features/young-features.txt anew, of
// @mdn/browser-compat-data (CC0) and electron-to-chromium. Neither is a dependency: the table changes with Electron only.

/** The Electron that the tests run in, the oldest that a page of Parley meets. */
const OLDEST_ELECTRON = 33;

/**
 * @typedef {{ version_added?: unknown, version_removed?: unknown, flags?: unknown, prefix?: unknown, alternative_name?: unknown }} Support
 * @typedef {{ kind: string, name: string, added: number, removed: number }} Feature
 */

/** @param {unknown} version */
const versionOf = (version) =>
  typeof version === 'string' ? Number(version.replace('≤', '')) : Number.NaN;

/** Which names a source says a feature by; what is within a feature has none of its own. @type {readonly [RegExp, string][]} */
const KINDS = [
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
 * @param {string} way
 * @returns {Feature[]}
 */
const featuresIn = (tree, way) =>
  Object.entries(tree).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    if (key !== '__compat')
      return featuresIn(
        /** @type {Record<string, unknown>} */ (value),
        way === '' ? key : `${way}.${key}`,
      );
    const found = KINDS.map(([form, kind]) => ({ kind, name: form.exec(way)?.[1] })).find(
      ({ name }) => name !== undefined,
    );
    if (found?.name === undefined) return [];
    const { support } = /** @type {{ support: Record<string, Support | Support[]> }} */ (value);
    const plain = [support['chrome'] ?? []]
      .flat()
      .filter((one) => !one.flags && !one.prefix && !one.alternative_name);
    const added = Math.min(...plain.map((one) => versionOf(one.version_added) || Infinity));
    const stays = plain.some((one) => Number.isNaN(versionOf(one.version_removed)));
    const removed = Math.max(...plain.map((one) => versionOf(one.version_removed) || 0));
    return [{ kind: found.kind, name: found.name, added, removed: stays ? Infinity : removed }];
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
      'Give data.json of @mdn/browser-compat-data and versions.json of electron-to-chromium.',
      WRONG_USAGE,
    );
  }
  /** @type {{ devDependencies: { electron: string } }} */
  const { devDependencies } = await readJson(inRoot('package.json'));
  const shipped = Number.parseInt(devDependencies.electron, 10);
  /** @type {Record<string, string>} */
  const chromiums = await readJson(versions);
  const [from, to] = [OLDEST_ELECTRON, shipped].map((one) => Number(chromiums[`${one}.0`]));
  if (!from || !to) throw new Stop(`${versions} does not know Electron ${shipped}.`);
  /** @type {{ __meta: { version: string } } & Record<'css' | 'api' | 'javascript' | 'html', object>} */
  const { __meta: meta, css, api, javascript, html } = await readJson(data);
  const features = featuresIn({ css, api, javascript, html }, '');
  /** @type {Map<string, { added: number, removed: number }>} a name is as old as the oldest thing that has it */
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
    const young = added > from && added !== Infinity;
    const gone = added <= from && removed > from && removed <= to;
    if (!young && !gone) continue;
    const head = young ? `since ${added} ${kind}` : `until ${removed} ${kind}`;
    lines.set(head, [...(lines.get(head) ?? []), word]);
  }
  const text = [
    `# What pages cannot use in all of Chromium ${from} (Electron ${OLDEST_ELECTRON}) to ${to} (Electron ${shipped}), written by scripts/young-features.mjs`,
    `# of @mdn/browser-compat-data ${meta.version} (CC0) and electron-to-chromium.`,
    ...[...lines].map(([head, words]) => `${head}: ${words.toSorted().join(' ')}`).toSorted(),
    '',
  ].join('\n');
  await writeFile(inRoot('test', 'gates', 'features', 'young-features.txt'), text);
  say(`${[...lines.values()].flat().length} names, of ${features.length} features.`);
});
