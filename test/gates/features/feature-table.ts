import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FeatureTable {
  readonly electron: { readonly oldest: number; readonly newest: number };
  readonly chromium: { readonly oldest: number; readonly newest: number };
  /** By kind and name, since or until when a Chromium has it. */
  readonly features: ReadonlyMap<string, string>;
}

/** `young-features.txt`, as scripts/young-features.mjs writes it. */
export function readFeatureTable(): FeatureTable {
  const text = readFileSync(join(import.meta.dirname, 'young-features.txt'), 'utf8');
  const [head = '', ...lines] = text.split('\n');
  const [oldest, first, newest, last] =
    /Chromium (\d+) \(Electron (\d+)\) to (\d+) \(Electron (\d+)\)/
      .exec(head)
      ?.slice(1)
      .map(Number) ?? [];
  if (!oldest || !first || !newest || !last)
    throw new Error('The table does not say of what it is.');
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

const firsts = (kind: string, text: string, pattern: RegExp): readonly Use[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => [kind, name] as const);

/** What a style sheet uses, by the words that stand in it. */
function usesInStyle(style: string): readonly Use[] {
  const text = style.replaceAll(/\/\*[^]*?\*\//g, '');
  const declared = [...text.matchAll(/(?:^|[{;])\s*([a-z-]+)\s*:\s*([^;{}]+)/g)];
  const values = declared.flatMap(([, property = '', value = '']) =>
    firsts('value', value, /([a-z-]+)(?![\w(-])/g).map(([kind, word]): Use => [
      kind,
      `${property}.${word}`,
    ]),
  );
  return [
    ...declared.map(([, property = '']): Use => ['property', property]),
    ...values,
    ...firsts('rule', text, /@([a-z-]+)/g),
    ...firsts('selector', text, /::?([a-z-]+)(?=[\s,{(:.)>[+~])/g),
    ...firsts('function', text, /(?<![\w:-])([a-z-]+)\(/g),
  ];
}

/** What a module uses: names of what others have, names that stand for themselves, and attributes. */
function usesInModule(module: string): readonly Use[] {
  const text = module.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  return [
    ...firsts('name', text, /[.]([A-Za-z]\w*)/g),
    ...firsts('name', text, /(?<![\w.'"`/<-])([A-Z]\w+)(?![\w'"`:])/g),
    ...firsts('attribute', text, /\s([a-z-]+)=[{"]/g),
  ];
}

/** Everything in a file that not every Chromium has which a page may run in. */
export function featuresIn(path: string, text: string, table: FeatureTable): readonly string[] {
  const uses = path.endsWith('.css') ? usesInStyle(text) : usesInModule(text);
  const found = uses.flatMap(([kind, name]) => {
    const when = table.features.get(`${kind} ${name}`);
    return when === undefined ? [] : [`${path}: ${name} (${kind}, Chromium ${when})`];
  });
  return [...new Set(found)];
}
