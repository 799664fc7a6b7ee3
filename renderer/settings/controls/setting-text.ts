import { useTranslation } from 'react-i18next';
import { messagesOf } from '../../i18n/create-i18n.ts';
import type { PageMessages } from '../../../shared/i18n/messages.ts';

type Rows = PageMessages['settings']['rows'];
type RowsOf<Section extends keyof Rows> = `${Section}.${keyof Rows[Section] & string}`;

/** A setting by its section and its name within it. */
export type SettingId = { readonly [Section in keyof Rows]: RowsOf<Section> }[keyof Rows];

export interface SettingText {
  readonly name: string;
  readonly hint: string;
  /** By what else it may be looked for. */
  readonly also: string;
}

/** What a setting is called in the language of the page. */
export function useSettingText(id: SettingId): SettingText {
  const { i18n } = useTranslation();
  const [section = '', name = ''] = id.split('.');
  const rows: Readonly<Record<string, Readonly<Record<string, SettingText>>>> =
    messagesOf(i18n).settings.rows;
  const text = rows[section]?.[name];
  if (text === undefined) throw new Error(`There are no words for ${id}.`);
  return text;
}
