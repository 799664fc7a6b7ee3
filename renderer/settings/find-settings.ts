import { foldText, searchWords } from '../../shared/text.ts';
import { languageIds, languages } from '../../shared/i18n/languages.ts';
import type { SettingId, SettingText } from './controls/setting.tsx';
import { type SettingsSection, settingsSections } from './settings-ui-state.ts';

export interface FoundSetting {
  readonly section: SettingsSection;
  readonly id: SettingId;
}

interface IndexedSetting extends FoundSetting {
  /** Texts in all languages. */
  readonly names: readonly string[];
  readonly also: string;
  readonly hints: string;
}

type RowTexts = Readonly<Record<string, Readonly<Record<string, SettingText>>>>;

let index: readonly IndexedSetting[] = [];

/** All languages, because users search in the language they learned a term in. */
export async function loadSettingsIndex(): Promise<void> {
  const pages = await Promise.all(languageIds.map((id) => languages[id].page()));
  index = buildIndex(pages.map(({ settings }) => settings.rows));
}

function buildIndex(everyLanguage: readonly RowTexts[]): readonly IndexedSetting[] {
  return settingsSections.flatMap((section) =>
    Object.keys(everyLanguage[0]?.[section] ?? {}).map((key) => {
      const words = everyLanguage.flatMap((rows) => rows[section]?.[key] ?? []);
      return {
        section,
        id: `${section}.${key}` as SettingId,
        names: words.map(({ name }) => foldText(name)),
        also: foldText(words.map(({ also }) => also).join(' ')),
        hints: foldText(words.map(({ hint }) => hint).join(' ')),
      };
    }),
  );
}

/** Rank of a match, lower is better. Undefined if a word does not match. */
function rankSetting(
  { names, also, hints }: IndexedSetting,
  words: readonly string[],
): number | undefined {
  if (names.includes(words.join(' '))) return 0;
  const ranks = words.map((word) => {
    if (names.some((name) => name.includes(word))) return 1;
    if (also.includes(word)) return 2;
    return hints.includes(word) ? 3 : Infinity;
  });
  const worstRank = Math.max(...ranks);
  return Number.isFinite(worstRank) ? worstRank : undefined;
}

/** Settings that match every word. Exact names rank first, then names, search words and hints. */
export function findSettings(typed: string): readonly FoundSetting[] {
  const words = searchWords(typed);
  if (words.length === 0) return [];
  return index
    .flatMap((setting) => {
      const rank = rankSetting(setting, words);
      return rank === undefined ? [] : [{ setting, rank }];
    })
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ setting }) => setting);
}
