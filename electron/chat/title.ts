import type { Part } from '../../shared/chat/conversation.ts';

const mostLetters = 48;

/** The first words of a message, for a list; empty where there are none. */
export function titleOf(parts: readonly Part[]): string {
  const text = parts.find((part) => part.type === 'text')?.text ?? '';
  // Only the beginning is looked at: the rest of a long paste says no more.
  const line = text.slice(0, 2000).trim().replaceAll(/\s+/gu, ' ');
  const letters = Array.from(line.slice(0, 4 * mostLetters));
  if (letters.length <= mostLetters) return line;
  const cut = letters.slice(0, mostLetters).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > mostLetters / 2 ? cut.slice(0, space) : cut}…`;
}
