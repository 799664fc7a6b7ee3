import type { english } from './english.ts';

/** The same keys at every depth, each with a text. */
export type Texts<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends string ? string : Texts<Tree[Key]>;
};

/** Every text of the screens; a language that lacks one, or has one too many, does not compile. */
export type Words = Texts<typeof english>;
