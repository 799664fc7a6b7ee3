import { requestInlets } from './inlets/request-inlets.ts';
import { fileInlets } from './inlets/file-inlets.ts';
import { wireInlets } from './inlets/wire-inlets.ts';
import { wordInlets } from './inlets/word-inlets.ts';
import type { Inlet } from './inlet.ts';

/** All functions that take outside text, except the command line, which loads all of Parley. */
export const textInlets: readonly Inlet[] = [
  ...wireInlets,
  ...fileInlets,
  ...requestInlets,
  ...wordInlets,
];
