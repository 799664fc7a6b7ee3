import {
  AArrowDown,
  AArrowUp,
  Activity,
  BookOpen,
  CaseSensitive,
  Flag,
  History,
  Info,
  Keyboard,
  Languages,
  LogOut,
  MessageSquare,
  Mic,
  Moon,
  PictureInPicture2,
  Settings,
  SquarePen,
  Sun,
  SunMoon,
  Trash2,
} from 'lucide-react';
import { languageIds } from '../../../shared/i18n/languages.ts';
import { languageChoices } from '../../i18n/page-language.ts';
import { settingsSections } from '../../settings/settings-ui-state.ts';
import { appearanceOf, captionsOf } from '../page-style.ts';
import { screenNames } from '../ui-state.ts';
import { commandKey, keysOf, type PaletteCommand, type PaletteContext } from './palette-command.ts';
import { exampleCommands, replayCommands, talkCommands } from './talk-commands.ts';

/** What can be done at the moment, the likeliest first. */
export function paletteCommands(context: PaletteContext): readonly PaletteCommand[] {
  return [
    ...replayCommands(context),
    ...talkCommands(context),
    ...placeCommands(context),
    ...lookCommands(context),
    ...exampleCommands(context),
    ...programCommands(context),
    ...settingCommands(context),
  ];
}

const icons = { talk: Mic, chat: MessageSquare, history: History, settings: Settings } as const;

const keysOfPlaces = { talk: '1', chat: '2', history: '3', settings: ',' } as const;

/** The places of the window, and what begins something in one of them. */
function placeCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  return [
    ...screenNames
      .filter((name) => name !== view.screen)
      .map((name) => ({
        group: 'places' as const,
        icon: icons[name],
        name: t(`places.${name}`),
        also: t(`palette.also.places.${name}`),
        keys: commandKey(keysOfPlaces[name]),
        run: () => actions.go(name),
      })),
    {
      group: 'places',
      icon: SquarePen,
      name: t('palette.newChat'),
      also: t('palette.also.newChat'),
      keys: commandKey('N'),
      run: () => void actions.beginChat(),
    },
    ...(view.windows === undefined
      ? []
      : [
          {
            group: 'places' as const,
            icon: PictureInPicture2,
            name: t('mini.title'),
            also: t('palette.also.mini'),
            run: () => void actions.showMini(),
          },
        ]),
    ...settingsSections.map((section) => ({
      group: 'settings' as const,
      icon: Settings,
      name: t('shell.under', {
        what: t('places.settings'),
        which: t(`settings.sections.${section}`),
      }),
      also: t('palette.also.settings'),
      run: () => actions.openSettings(section),
    })),
  ];
}

/** Of the settings, what is done in one step and not gone to first. */
function settingCommands({ actions, t }: PaletteContext): readonly PaletteCommand[] {
  const group = 'settings';
  return [
    {
      group,
      icon: Keyboard,
      name: t('palette.talkKey'),
      also: t('palette.also.talkKey'),
      sought: true,
      run: () => {
        actions.openSettings('keys');
        actions.setup.goTo('keys', 'talking.key');
        actions.setup.wantKey('talk');
      },
    },
    {
      group,
      icon: Trash2,
      name: t('palette.deleteAll'),
      also: t('palette.also.deleteAll'),
      sought: true,
      run: () => {
        actions.openSettings('privacy');
        actions.setup.askForDeletion('all');
      },
    },
  ];
}

/** What is about the program itself. */
function programCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const group = 'program';
  return [
    {
      group,
      icon: Activity,
      name: t(view.inspectorOpen ? 'inspector.close' : 'inspector.open'),
      also: t('palette.also.inspector'),
      ...keysOf(context, 'inspector'),
      run: () => actions.setInspector(!view.inspectorOpen),
    },
    {
      group,
      icon: Keyboard,
      name: t('settings.rows.keys.shortcuts.name'),
      also: t('palette.also.shortcuts'),
      ...keysOf(context, 'shortcuts'),
      run: () => actions.setShortcuts(true),
    },
    {
      group,
      icon: BookOpen,
      name: t('guide.title'),
      also: t('palette.also.guide'),
      run: () => actions.openGuide(),
    },
    {
      group,
      icon: Flag,
      name: t('report.action'),
      also: t('palette.also.report'),
      run: () => actions.reporting.open({ kind: 'last' }),
    },
    {
      group,
      icon: Info,
      name: t('palette.about'),
      also: t('palette.also.about'),
      run: () => actions.openSettings('about'),
    },
    ...(view.windows === undefined
      ? []
      : [
          {
            group,
            icon: LogOut,
            name: t('palette.quit'),
            also: t('palette.also.quit'),
            keys: commandKey('Q'),
            run: () => void actions.quit(),
          } as const,
        ]),
  ];
}

/** The sizes of captions that are offered where there is no room for all; the settings have the rest. */
const captionSizes = [28, 38, 50] as const;
const themeIcons = { light: Sun, dark: Moon, system: SunMoon } as const;
/** Of everything, in percent, as in the settings. */
const textSizes = { least: 80, most: 200, step: 10 } as const;
const group = 'looks';

/** Theme, language and the size of text and captions: what it is already is not offered. */
function lookCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
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
      name: t('shell.under', {
        what: t('settings.rows.appearance.theme.name'),
        which: t(`shell.themes.${theme}`),
      }),
      also: t(`palette.also.themes.${theme}`),
      run: () => void actions.changeSettings({ appearance: { theme } }),
    })),
    ...languages.map((language): PaletteCommand => ({
      group,
      icon: Languages,
      name: t('shell.under', {
        what: t('settings.rows.appearance.language.name'),
        which: languageNames[language],
      }),
      also: t('palette.also.language'),
      run: () => void actions.changeSettings({ appearance: { language } }),
    })),
    ...textSizeCommands({ view, actions, t }),
    ...captionSizes
      .filter((each) => each !== size)
      .map((each): PaletteCommand => ({
        group,
        icon: CaseSensitive,
        name: t('shell.under', {
          what: t('settings.rows.captions.size.name'),
          which: sizeNames[each],
        }),
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
