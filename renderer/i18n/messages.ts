import type { englishPage } from '../../shared/i18n/en/page-messages.ts';
import type { MessageTree } from '../../shared/i18n/messages.ts';
import type { englishReasons } from './english/reasons.ts';

export type { MessageTree };

/** What the page says in English: of everything, and of what went wrong. */
export type EnglishMessages = typeof englishPage & { readonly reasons: typeof englishReasons };

/** Every text of the page; a language that lacks one, or has one too many, does not compile. */
export type Messages = MessageTree<EnglishMessages>;
