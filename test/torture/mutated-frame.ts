import type { Random } from '../../shared/ports/clock.ts';

const ways: readonly ((text: string, at: number) => string)[] = [
  // Truncated, doubled, one character changed, a part removed, reversed.
  (text, at) => text.slice(0, at),
  (text) => text + text,
  (text, at) => `${text.slice(0, at)}\u0000${text.slice(at + 1)}`,
  (text, at) => text.slice(0, at) + text.slice(at + 20),
  (text) => Array.from(text).toReversed().join(''),
  // Another type, sign or name, or an empty list.
  (text) => text.replaceAll(/"[^"]{0,40}"(?=[,}])/gu, '1e999'),
  (text) => text.replaceAll(/\d+/gu, '-$&'),
  (text) => text.replace(/"type":"[^"]*"/u, '"type":"session.unheard_of"'),
  () => '[]',
  () => '',
];

export function mutatedFrame(text: string, random: Random): string {
  const at = Math.floor(random() * text.length);
  const way = ways[Math.floor(random() * ways.length)];
  return way === undefined ? text : way(text, at);
}
