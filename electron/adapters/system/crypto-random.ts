import { getRandomValues } from 'node:crypto';
import type { Random } from '../../ports/clock.ts';

/** The machine's own dice: 32 bits a throw, which nobody can foretell. */
export const cryptoRandom: Random = () => {
  const [word = 0] = getRandomValues(new Uint32Array(1));
  return word / 2 ** 32;
};
