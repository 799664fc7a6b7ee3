import { SunMoon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Menu, MenuChoice } from '../design/menu.tsx';
import { useActions, useView } from '../store/use-desk.ts';

/** Theme, language and captions. */
export function AppearanceMenu() {
  const { t } = useTranslation();
  const { setAppearance } = useActions();
  const { theme, language, captionSize, contrast } = useView(({ appearance }) => appearance);
  return (
    <Menu
      trigger={
        <button type="button" className="icon-button" aria-label={t('shell.appearance')}>
          <SunMoon size={20} strokeWidth={1.75} aria-hidden />
        </button>
      }
    >
      <MenuChoice
        name={t('shell.theme')}
        value={theme}
        choices={t('shell.themes', { returnObjects: true })}
        choose={(theme) => {
          setAppearance({ theme });
        }}
      />
      <MenuChoice
        name={t('shell.words')}
        value={language}
        choices={t('shell.languages', { returnObjects: true })}
        choose={(language) => {
          setAppearance({ language });
        }}
      />
      <MenuChoice
        name={t('shell.captionSize')}
        value={captionSize}
        choices={t('shell.captionSizes', { returnObjects: true })}
        choose={(captionSize) => {
          setAppearance({ captionSize });
        }}
      />
      <MenuChoice
        name={t('shell.contrast')}
        value={contrast}
        choices={t('shell.contrasts', { returnObjects: true })}
        choose={(contrast) => {
          setAppearance({ contrast });
        }}
      />
    </Menu>
  );
}
