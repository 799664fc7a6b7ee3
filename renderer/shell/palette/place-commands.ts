import {
  Activity,
  BookOpen,
  Flag,
  History,
  Info,
  Keyboard,
  LogOut,
  MessageSquare,
  Mic,
  PictureInPicture2,
  Settings,
  SquarePen,
  Trash2,
} from 'lucide-react';
import { screenNames } from '../../store/ui-state.ts';
import { settingsSections } from '../../store/settings/settings-ui-state.ts';
import { commandKey, keysOf } from './palette-command.ts';
import type { PaletteCommand, PaletteContext } from './palette-command.ts';

const icons = { talk: Mic, chat: MessageSquare, history: History, settings: Settings } as const;

const keysOfPlaces = { talk: '1', chat: '2', history: '3', settings: ',' } as const;

/** The places of the window, and what begins something in one of them. */
export function placeCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  return [
    ...screenNames
      .filter((name) => name !== view.screen)
      .map((name) => ({
        group: 'places' as const,
        icon: icons[name],
        name: t(`places.${name}`),
        also: t(`palette.also.places.${name}`),
        keys: commandKey(keysOfPlaces[name]),
        run: () => {
          actions.go(name);
        },
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
            name: t('mini.open'),
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
      run: () => {
        actions.openSettings(section);
      },
    })),
  ];
}

/** Of the settings, what is done in one step and not gone to first. */
export function settingCommands({ actions, t }: PaletteContext): readonly PaletteCommand[] {
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
export function programCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const group = 'program';
  return [
    {
      group,
      icon: Activity,
      name: t(view.inspectorOpen ? 'inspector.close' : 'inspector.open'),
      also: t('palette.also.inspector'),
      ...keysOf(context, 'inspector'),
      run: () => {
        actions.setInspector(!view.inspectorOpen);
      },
    },
    {
      group,
      icon: Keyboard,
      name: t('shortcuts.name'),
      also: t('palette.also.shortcuts'),
      ...keysOf(context, 'shortcuts'),
      run: () => {
        actions.setShortcuts(true);
      },
    },
    {
      group,
      icon: BookOpen,
      name: t('guide.title'),
      also: t('palette.also.guide'),
      run: () => {
        actions.openGuide();
      },
    },
    {
      group,
      icon: Flag,
      name: t('report.action'),
      also: t('palette.also.report'),
      run: () => {
        actions.reporting.open({ kind: 'last' });
      },
    },
    {
      group,
      icon: Info,
      name: t('palette.about'),
      also: t('palette.also.about'),
      run: () => {
        actions.openSettings('about');
      },
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
