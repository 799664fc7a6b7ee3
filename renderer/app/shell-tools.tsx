import { PictureInPicture2, SunMoon } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/button.tsx';
import { Menu, MenuChoice } from '../design/menu.tsx';
import { languageChoices } from '../i18n/page-language.ts';
import { appearanceOf, captionsOf } from './page-style.ts';
import { useActions, useUiState } from './use-app-context.ts';

/** Theme, language and captions: what is wanted at a glance. The settings have the rest. */
export function AppearanceMenu() {
  const { t } = useTranslation();
  const { changeSettings } = useActions();
  const { theme, language } = useUiState(appearanceOf);
  const { size, contrast } = useUiState(captionsOf);
  return (
    <Menu
      trigger={
        <button type="button" className="icon-button" aria-label={t('shell.appearance')}>
          <SunMoon strokeWidth={1.75} aria-hidden />
        </button>
      }
    >
      <MenuChoice
        name={t('shell.theme')}
        value={theme}
        choices={t('shell.themes', { returnObjects: true })}
        choose={(theme) => void changeSettings({ appearance: { theme } })}
      />
      <MenuChoice
        name={t('shell.language')}
        value={language}
        choices={languageChoices(t)}
        choose={(language) => void changeSettings({ appearance: { language } })}
      />
      <MenuChoice
        name={t('shell.captionSize')}
        value={String(size)}
        choices={t('shell.captionSizes', { returnObjects: true })}
        choose={(size) => void changeSettings({ captions: { size: Number(size) } })}
      />
      <MenuChoice
        name={t('shell.contrast')}
        value={contrast}
        choices={t('shell.contrasts', { returnObjects: true })}
        choose={(contrast) => void changeSettings({ captions: { contrast } })}
      />
    </Menu>
  );
}

/** Opens the mini window, where the host has one. */
export function MiniButton() {
  const { t } = useTranslation();
  const { readWindows, showMini } = useActions();
  const windows = useUiState(({ windows }) => windows);
  useEffect(() => {
    void readWindows();
  }, [readWindows]);
  if (windows === undefined) return null;
  return (
    <span className="mini-open">
      <IconButton
        icon={PictureInPicture2}
        label={t('mini.open')}
        onClick={() => {
          void showMini();
        }}
      />
    </span>
  );
}
