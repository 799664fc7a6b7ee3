import type { Random } from '../ports/clock.ts';

/** An id that no other has: 80 bits of dice, fit for a file's name everywhere. */
export function makeChatId(random: Random): string {
  let id = '';
  while (id.length < 16) id += Math.floor(random() * 32).toString(32);
  return id;
}
