import { setFlagsFromString } from 'node:v8';

/**
 * Objects that live for a moment only get 1 MB to be in, in every thread of this process. By itself the engine grows that to 16
 * in the rush of a start, and what moves through it in a talk, a few MB a second, then passes over all of it before it is swept.
 */
export function keepYoungGenerationSmall(): void {
  // The engine reads its size once, before the first line; how much it grows by it reads each time.
  setFlagsFromString('--semi-space-growth-factor=1');
}
