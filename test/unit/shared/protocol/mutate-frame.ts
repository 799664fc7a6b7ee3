/** Corrupts a frame as a bad connection, a bug or an attacker might. */
export function mutateFrame(text: string, random: () => number): string {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;
  return pick([flipBits, cut, repeat, insert, swapValue, swapValue, nest])(text, random);
}

type Mutation = (text: string, random: () => number) => string;

const flipBits: Mutation = (text, random) => {
  const at = Math.floor(random() * text.length);
  const flipped = text.charCodeAt(at) ^ (1 << Math.floor(random() * 8));
  return text.slice(0, at) + String.fromCharCode(flipped) + text.slice(at + 1);
};

const cut: Mutation = (text, random) => text.slice(0, Math.floor(random() * text.length));

const repeat: Mutation = (text, random) => {
  const from = Math.floor(random() * text.length);
  const to = from + Math.floor(random() * (text.length - from));
  return text.slice(0, to) + text.slice(from);
};

const insert: Mutation = (text, random) => {
  const odd = [
    '\0',
    '"',
    '\\',
    '\ud800',
    '{',
    '"audio":',
    '1e999',
    '今',
    '\u2028',
    '=',
    '__proto__',
  ];
  const at = Math.floor(random() * text.length);
  return text.slice(0, at) + (odd[Math.floor(random() * odd.length)] ?? '') + text.slice(at);
};

const values = [
  null,
  0,
  -1.5,
  1e300,
  '',
  'x',
  '====',
  'AAAA',
  true,
  [],
  {},
  [[]],
  { type: 'error' },
];

/** Replaces any value, at any depth, with another one, often of another type. */
const swapValue: Mutation = (text, random) => {
  const places: (() => void)[] = [];
  const root: unknown = JSON.parse(text);
  collect(root, (holder, key) => {
    places.push(() => {
      holder[key] = values[Math.floor(random() * values.length)];
    });
  });
  places[Math.floor(random() * places.length)]?.();
  return JSON.stringify(root);
};

function collect(
  value: unknown,
  found: (holder: Record<string, unknown>, key: string) => void,
): void {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    found(holder, key);
    collect(holder[key], found);
  }
}

const nest: Mutation = (text, random) => {
  const depth = Math.floor(random() * 2000);
  const deep = '['.repeat(depth) + ']'.repeat(depth);
  const fields = ['text', 'audio', 'metrics', 'input', 'payload', 'error', 'kind', 'content'];
  const field = fields[Math.floor(random() * fields.length)] ?? '';
  return `${text.slice(0, -1)},"${field}":${depth === 0 ? '0' : deep}}`;
};
