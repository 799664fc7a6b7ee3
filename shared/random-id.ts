import type { Random } from './ports/clock.ts';

/** A random id of 80 bits, valid as a file name on every system. */
export function makeRandomId(random: Random): string {
  let id = '';
  while (id.length < 16) id += Math.floor(random() * 32).toString(32);
  return id;
}
