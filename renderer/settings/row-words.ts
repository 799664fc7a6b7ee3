import { useTranslation } from 'react-i18next';
import { chinese } from '../words/chinese.ts';
import type { Language } from '../words/choose-language.ts';
import { english } from '../words/english.ts';

type Rows = typeof english.settings.rows;
type RowsOf<Section extends keyof Rows> = `${Section}.${keyof Rows[Section] & string}`;

/** A setting by its section and its name within it. */
export type RowId = { readonly [Section in keyof Rows]: RowsOf<Section> }[keyof Rows];

export interface RowWords {
  readonly name: string;
  readonly hint: string;
  /** By what else it may be looked for. */
  readonly also: string;
}

type Tree = Readonly<Record<string, Readonly<Record<string, RowWords>>>>;

export const rowWords: Readonly<Record<Language, Tree>> = {
  en: english.settings.rows,
  zh: chinese.settings.rows,
};

/** What a setting is called in the language of the page. */
export function useRowWords(id: RowId): RowWords {
  const { i18n } = useTranslation();
  const [section = '', name = ''] = id.split('.');
  const words = rowWords[i18n.language === 'zh' ? 'zh' : 'en'][section]?.[name];
  if (words === undefined) throw new Error(`There are no words for ${id}.`);
  return words;
}
