import type { Random } from '../../shared/ports/clock.ts';

const ways: readonly ((text: string, at: number) => string)[] = [
  // Cut off, doubled, one letter another one, a part of it gone, turned round.
  (text, at) => text.slice(0, at),
  (text) => text + text,
  (text, at) => `${text.slice(0, at)}\u0000${text.slice(at + 1)}`,
  (text, at) => text.slice(0, at) + text.slice(at + 20),
  (text) => Array.from(text).toReversed().join(''),
  // Another type of everything, another sign, another name, a list of nothing.
  (text) => text.replaceAll(/"[^"]{0,40}"(?=[,}])/gu, '1e999'),
  (text) => text.replaceAll(/\d+/gu, '-$&'),
  (text) => text.replace(/"type":"[^"]*"/u, '"type":"session.unheard_of"'),
  () => '[]',
  () => '',
];

/** The same frame, as a bad cable, a broken server or somebody who means harm would send it. */
export function mutatedFrame(text: string, random: Random): string {
  const at = Math.floor(random() * text.length);
  const way = ways[Math.floor(random() * ways.length)];
  return way === undefined ? text : way(text, at);
}
