import { languages } from '../../shared/i18n/languages.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import { chineseReasons } from './chinese/reasons.ts';
import { englishReasons } from './english/reasons.ts';
import type { Messages } from './messages.ts';

/** Until what goes wrong is said by the languages themselves. */
const reasons: Readonly<Partial<Record<Language, Messages['reasons']>>> = {
  en: englishReasons,
  zh: chineseReasons,
};

/** A script of its own for each language. */
export async function loadMessages(language: Language): Promise<Messages> {
  const page = await languages[language].page();
  return { ...page, reasons: reasons[language] ?? englishReasons };
}
