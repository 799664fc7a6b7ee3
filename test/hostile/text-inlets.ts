import { askedInlets } from './inlets/asked-inlets.ts';
import { keptInlets } from './inlets/kept-inlets.ts';
import { wireInlets } from './inlets/wire-inlets.ts';
import { wordInlets } from './inlets/word-inlets.ts';
import type { Inlet } from './inlet.ts';

/** Every place where a text of others comes in, but the command line, which brings all of Parley with it. */
export const textInlets: readonly Inlet[] = [
  ...wireInlets,
  ...keptInlets,
  ...askedInlets,
  ...wordInlets,
];
