import { useTranslation } from 'react-i18next';
import { Picker } from '../design/picker.tsx';
import { settingsSections } from '../store/settings/settings-ui-state.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';

/** The parts of the settings, beside them. */
export function SectionNav() {
  const { t } = useTranslation();
  const { openSettings } = useActions();
  const section = useUiState(({ settingsUi }) => settingsUi.section);
  const searching = useUiState(({ settingsUi }) => settingsUi.searchText.trim() !== '');
  return (
    <nav className="section-nav" aria-label={t('settings.section')}>
      <ul>
        {settingsSections.map((each) => (
          <li key={each}>
            <button
              type="button"
              aria-current={each === section && !searching ? 'true' : undefined}
              onClick={() => {
                openSettings(each);
              }}
            >
              {t(`settings.sections.${each}`)}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The same where there is no room beside them. */
export function SectionPicker() {
  const { t } = useTranslation();
  const { openSettings } = useActions();
  const section = useUiState(({ settingsUi }) => settingsUi.section);
  return (
    <div className="section-picker">
      <span id="section-picker" className="only-heard">
        {t('settings.section')}
      </span>
      <Picker
        called={t('settings.section')}
        labelledBy="section-picker"
        value={section}
        choices={t('settings.sections', { returnObjects: true })}
        choose={openSettings}
      />
    </div>
  );
}
