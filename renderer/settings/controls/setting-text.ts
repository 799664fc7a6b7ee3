import { useTranslation } from 'react-i18next';
import { chineseMessages } from '../../i18n/chinese-messages.ts';
import type { UiLanguage } from '../../i18n/choose-language.ts';
import { englishMessages } from '../../i18n/english-messages.ts';

type Rows = typeof englishMessages.settings.rows;
type RowsOf<Section extends keyof Rows> = `${Section}.${keyof Rows[Section] & string}`;

/** A setting by its section and its name within it. */
export type SettingId = { readonly [Section in keyof Rows]: RowsOf<Section> }[keyof Rows];

export interface SettingText {
  readonly name: string;
  readonly hint: string;
  /** By what else it may be looked for. */
  readonly also: string;
}

type Tree = Readonly<Record<string, Readonly<Record<string, SettingText>>>>;

export const settingTexts: Readonly<Record<UiLanguage, Tree>> = {
  en: englishMessages.settings.rows,
  zh: chineseMessages.settings.rows,
};

/** What a setting is called in the language of the page. */
export function useSettingText(id: SettingId): SettingText {
  const { i18n } = useTranslation();
  const [section = '', name = ''] = id.split('.');
  const words = settingTexts[i18n.language === 'zh' ? 'zh' : 'en'][section]?.[name];
  if (words === undefined) throw new Error(`There are no words for ${id}.`);
  return words;
}
