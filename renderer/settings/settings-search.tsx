import { useTranslation } from 'react-i18next';
import { SearchField } from '../design/search-field.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { findSettings } from './find-settings.ts';
import type { FoundSetting } from './find-settings.ts';
import { useSettingText } from './controls/setting-text.ts';

/** Looks for a setting by any word of it, in any language. */
export function SettingsSearchField() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const searched = useUiState(({ settingsUi }) => settingsUi.searchText);
  const first = findSettings(searched)[0];
  return (
    <div className="settings-search">
      <SearchField
        label={t('settings.find')}
        clearLabel={t('settings.clear')}
        query={searched}
        search={setup.search}
        pressed={({ key }) => {
          if (key === 'Enter' && first !== undefined) setup.goTo(first.section, first.id);
        }}
      />
    </div>
  );
}

export function SettingsSearchResults() {
  const { t } = useTranslation();
  const searched = useUiState(({ settingsUi }) => settingsUi.searchText);
  const found = findSettings(searched);
  return (
    <section aria-label={t('settings.found')}>
      <h1>{t('settings.found')}</h1>
      {found.length === 0 && (
        <p className="settings-quiet" role="status">
          {t('settings.nothingFound')}
        </p>
      )}
      <ul className="found">
        {found.map((setting) => (
          <Found key={setting.id} setting={setting} />
        ))}
      </ul>
    </section>
  );
}

function Found({ setting: { section, id } }: { readonly setting: FoundSetting }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { name, hint } = useSettingText(id);
  return (
    <li>
      <button
        type="button"
        onClick={() => {
          setup.goTo(section, id);
        }}
      >
        <span className="row-name">{name}</span>
        <span className="found-section">{t(`settings.sections.${section}`)}</span>
        <span className="row-hint">{hint}</span>
      </button>
    </li>
  );
}
