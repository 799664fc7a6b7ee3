import type { englishMessages } from './english-messages.ts';

/** The same keys at every depth, each with a text. */
export type MessageTree<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends string ? string : MessageTree<Tree[Key]>;
};

/** Every text of the screens; a language that lacks one, or has one too many, does not compile. */
export type Messages = MessageTree<typeof englishMessages>;
