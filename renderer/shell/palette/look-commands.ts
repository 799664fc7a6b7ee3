import { AArrowDown, AArrowUp, CaseSensitive, Languages, Moon, Sun, SunMoon } from 'lucide-react';
import { languageIds } from '../../../shared/i18n/languages.ts';
import { languageChoices } from '../../i18n/use-language.ts';
import { appearanceOf, captionsOf } from '../../store/page-style.ts';
import type { PaletteCommand, PaletteContext } from './palette-command.ts';

/** The sizes of captions that are offered where there is no room for all; the settings have the rest. */
const captionSizes = [28, 38, 50] as const;
const themeIcons = { light: Sun, dark: Moon, system: SunMoon } as const;
/** Of everything, in percent, as in the settings. */
const textSizes = { least: 80, most: 200, step: 10 } as const;
const group = 'looks';

/** Theme, language and the size of text and captions: what it is already is not offered. */
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
    ...textSizeCommands({ view, actions, t }),
    ...captionSizes
      .filter((each) => each !== size)
      .map((each): PaletteCommand => ({
        group,
        icon: CaseSensitive,
        name: t('shell.under', { what: t('shell.captionSize'), which: sizeNames[each] }),
        also: t('palette.also.captionSize'),
        tells: true,
        run: () => void actions.changeSettings({ captions: { size: each } }),
      })),
  ];
}

/** One step: who wants more does it again. */
function textSizeCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  const now = view.settings?.appearance.textSize ?? 100;
  const { least, most, step } = textSizes;
  return (['larger', 'smaller'] as const).flatMap((way): readonly PaletteCommand[] => {
    const textSize = way === 'larger' ? now + step : now - step;
    if (textSize < least || textSize > most) return [];
    return [
      {
        group,
        icon: way === 'larger' ? AArrowUp : AArrowDown,
        name: t('shell.under', {
          what: t('settings.rows.appearance.textSize.name'),
          which: t(`settings.appearance.${way}`),
        }),
        also: t(`palette.also.textSize.${way}`),
        run: () => void actions.changeSettings({ appearance: { textSize } }),
      },
    ];
  });
}
