import type { englishCore, englishPackaging } from './en/core-messages.ts';
import type { englishPage } from './en/page-messages.ts';

/** A tree with the same keys, and a string for each text. */
export type MessageTree<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends string ? string : MessageTree<Tree[Key]>;
};

/** A language with a missing or an extra text does not compile. */
export type PageMessages = MessageTree<typeof englishPage>;

export type CoreMessages = MessageTree<typeof englishCore>;

/** The texts that a package shows before Parley runs: menus, catalogues, permission prompts. */
export type PackagingMessages = MessageTree<typeof englishPackaging>;

/** Fills `{{placeholders}}` like i18next, without escaping; unknown ones stay. */
export function fillMessage(
  message: string,
  facts: Readonly<Record<string, string | number>>,
): string {
  return message.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) =>
    Object.hasOwn(facts, name) ? String(facts[name]) : place,
  );
}
