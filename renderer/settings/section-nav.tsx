import { useTranslation } from 'react-i18next';
import { Picker } from '../design/picker.tsx';
import { sections } from '../store/settings-room.ts';
import { useActions, useView } from '../store/use-desk.ts';

/** The parts of the settings, beside them. */
export function SectionNav() {
  const { t } = useTranslation();
  const { openSettings } = useActions();
  const section = useView(({ room }) => room.section);
  const searching = useView(({ room }) => room.searched.trim() !== '');
  return (
    <nav className="section-nav" aria-label={t('settings.section')}>
      <ul>
        {sections.map((each) => (
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
  const section = useView(({ room }) => room.section);
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
