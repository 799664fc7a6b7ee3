import { askedInlets } from './inlets/asked-inlets.ts';
import { keptInlets } from './inlets/kept-inlets.ts';
import { wireInlets } from './inlets/wire-inlets.ts';
import { wordInlets } from './inlets/word-inlets.ts';
import type { Inlet } from './inlet.ts';

/** All inlets for text, except the command line, which loads all of Parley. */
export const textInlets: readonly Inlet[] = [
  ...wireInlets,
  ...keptInlets,
  ...askedInlets,
  ...wordInlets,
];
