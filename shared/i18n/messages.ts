import type { englishCore } from './en/core-messages.ts';
import type { englishPackaging } from './en/packaging.ts';
import type { englishPage } from './en/page-messages.ts';

/** The same keys at every depth, each with a text. */
export type MessageTree<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends string ? string : MessageTree<Tree[Key]>;
};

/** Every text of the page; a language that lacks one, or has one too many, does not compile. */
export type PageMessages = MessageTree<typeof englishPage>;

/** What the core says outside of any page: to the system's tray, and to the model. */
export type CoreMessages = MessageTree<typeof englishCore>;

/** What a package says before Parley runs: in menus, catalogues, and questions of the system. */
export type PackagingMessages = MessageTree<typeof englishPackaging>;

/** Puts facts in their `{{places}}`, as the page's library does; a fact is said as it is. */
export function fillMessage(
  message: string,
  facts: Readonly<Record<string, string | number>>,
): string {
  return message.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) =>
    Object.hasOwn(facts, name) ? String(facts[name]) : place,
  );
}
