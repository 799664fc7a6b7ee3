import { CaseSensitive, Languages, Moon, Sun, SunMoon } from 'lucide-react';
import { languageIds } from '../../../shared/i18n/languages.ts';
import { languageChoices } from '../../i18n/use-language.ts';
import { appearanceOf, captionsOf } from '../../store/page-style.ts';
import type { PaletteCommand, PaletteContext } from './palette-command.ts';

/** The sizes of captions that are offered where there is no room for all; the settings have the rest. */
const captionSizes = [28, 38, 50] as const;
const themeIcons = { light: Sun, dark: Moon, system: SunMoon } as const;
const group = 'looks';

/** Theme, language and the size of captions: what it is already is not offered. */
export function lookCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  const appearance = appearanceOf(view);
  const { size } = captionsOf(view);
  const languageNames = languageChoices(t);
  const sizeNames = t('shell.captionSizes', { returnObjects: true });
  const themes = (['light', 'dark', 'system'] as const).filter((each) => each !== appearance.theme);
  const languages = [...languageIds, 'system' as const].filter(
    (each) => each !== appearance.language,
  );
  return [
    ...themes.map((theme): PaletteCommand => ({
      group,
      icon: themeIcons[theme],
      name: t('shell.under', { what: t('shell.theme'), which: t(`shell.themes.${theme}`) }),
      also: t(`palette.also.themes.${theme}`),
      run: () => void actions.changeSettings({ appearance: { theme } }),
    })),
    ...languages.map((language): PaletteCommand => ({
      group,
      icon: Languages,
      name: t('shell.under', { what: t('shell.language'), which: languageNames[language] }),
      also: t('palette.also.language'),
      run: () => void actions.changeSettings({ appearance: { language } }),
    })),
    ...captionSizes
      .filter((each) => each !== size)
      .map((each): PaletteCommand => ({
        group,
        icon: CaseSensitive,
        name: t('shell.under', { what: t('shell.captionSize'), which: sizeNames[each] }),
        also: t('palette.also.captionSize'),
        run: () => void actions.changeSettings({ captions: { size: each } }),
      })),
  ];
}
