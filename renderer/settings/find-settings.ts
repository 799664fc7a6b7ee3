import { foldText } from '../../shared/chat/fold-text.ts';
import { settingsSections } from '../store/settings/settings-ui-state.ts';
import type { SettingsSection } from '../store/settings/settings-ui-state.ts';
import { languageIds, languages } from '../../shared/i18n/languages.ts';
import type { SettingId, SettingText } from './controls/setting-text.ts';

export interface FoundSetting {
  readonly section: SettingsSection;
  readonly id: SettingId;
}

interface Indexed extends FoundSetting {
  readonly name: string;
  readonly all: string;
}

type RowTexts = Readonly<Record<string, Readonly<Record<string, SettingText>>>>;

let index: readonly Indexed[] = [];

/** Of every language: who has learned a word in one looks for it by that word in another. */
export async function loadSettingsIndex(): Promise<void> {
  const pages = await Promise.all(languageIds.map((id) => languages[id].page()));
  index = indexOf(pages.map(({ settings }) => settings.rows));
}

function indexOf(everyLanguage: readonly RowTexts[]): readonly Indexed[] {
  return settingsSections.flatMap((section) =>
    Object.keys(everyLanguage[0]?.[section] ?? {}).map((key) => {
      const words = everyLanguage.flatMap((rows) => rows[section]?.[key] ?? []);
      return {
        section,
        id: `${section}.${key}` as SettingId,
        name: foldText(words.map(({ name }) => name).join(' ')),
        all: foldText(words.map(({ name, hint, also }) => [name, hint, also].join(' ')).join(' ')),
      };
    }),
  );
}

/** Those that have every word that was typed; those that are called so come first. */
export function findSettings(typed: string): readonly FoundSetting[] {
  const wanted = foldText(typed).split(/\s+/u).filter(Boolean);
  if (wanted.length === 0) return [];
  const named = (setting: Indexed) => wanted.every((word) => setting.name.includes(word));
  const found = index.filter(({ all }) => wanted.every((word) => all.includes(word)));
  return [...found.filter(named), ...found.filter((setting) => !named(setting))];
}
