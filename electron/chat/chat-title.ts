import type { Part } from '../../shared/chat/chat-thread.ts';

const maxLetters = 48;

/** The first words of a message, for a list; empty where there are none. */
export function chatTitleOf(parts: readonly Part[]): string {
  const text = parts.find((part) => part.type === 'text')?.text ?? '';
  // Only the beginning is looked at: the rest of a long paste says no more.
  const line = text.slice(0, 2000).trim().replaceAll(/\s+/gu, ' ');
  const letters = Array.from(line.slice(0, 4 * maxLetters));
  if (letters.length <= maxLetters) return line;
  const cut = letters.slice(0, maxLetters).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > maxLetters / 2 ? cut.slice(0, space) : cut}…`;
}
