import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FeatureTable {
  readonly electron: { readonly oldest: number; readonly newest: number };
  readonly chromium: { readonly oldest: number; readonly newest: number };
  /** By kind and name: since or until which Chromium it exists. */
  readonly features: ReadonlyMap<string, string>;
}

/** Reads young-features.txt, which scripts/young-features.mjs writes. */
export function readFeatureTable(): FeatureTable {
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
export function findUnsupportedFeatures(
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
