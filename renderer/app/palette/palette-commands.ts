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
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import { languageIds } from '../../../shared/i18n/languages.ts';
import { languageChoices } from '../../i18n/page-language.ts';
import { settingsSections } from '../../settings/settings-ui-state.ts';
import { selectAppearance, selectCaptions } from '../page-style.ts';
import { screenNames } from '../ui-state.ts';
import {
  commandKey,
  commandFactory,
  keysFor,
  type PaletteCommand,
  type PaletteContext,
} from './palette-command.ts';
import { exampleCommands, replayCommands, talkCommands } from './talk-commands.ts';

/** Commands that apply now, most likely first. */
export function paletteCommands(context: PaletteContext): readonly PaletteCommand[] {
  return [
    ...replayCommands(context),
    ...talkCommands(context),
    ...screenCommands(context),
    ...appearanceCommands(context),
    ...exampleCommands(context),
    ...programCommands(context),
    ...settingCommands(context),
  ];
}

const icons = { talk: Mic, chat: MessageSquare, history: History, settings: Settings } as const;

const screenKeys = { talk: '1', chat: '2', history: '3', settings: ',' } as const;

/** Commands for screens, and for starting something there. */
function screenCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const command = commandFactory('places', context);
  const section = commandFactory('settings', context);
  const newChatKey = { keys: commandKey('N') };
  const under = (which: string): string => t('shell.under', { what: t('places.settings'), which });
  return [
    ...screenNames
      .filter((name) => name !== view.screen)
      .map((name) => ({
        group: 'places' as const,
        icon: icons[name],
        name: t(`places.${name}`),
        keywords: t(`palette.also.places.${name}`),
        keys: commandKey(screenKeys[name]),
        run: () => actions.go(name),
      })),
    command('newChat', SquarePen, t('palette.newChat'), () => void actions.beginChat(), newChatKey),
    ...(view.windows === undefined
      ? []
      : [
          command('mini', PictureInPicture2, t('mini.title'), () => void actions.showMini()),
          command('quickAsk', TextCursorInput, t('cursor.title'), () => void actions.quick.open()),
        ]),
    ...settingsSections.map((name) =>
      section('settings', Settings, under(t(`settings.sections.${name}`)), () =>
        actions.openSettings(name),
      ),
    ),
  ];
}

function settingCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { actions, t } = context;
  const command = commandFactory('settings', context);
  const setTalkKey = (): void => {
    actions.openSettings('keys');
    actions.setup.goTo('keys', 'talking.key');
    actions.setup.startKeyRecording('talk');
  };
  const deleteAll = (): void => {
    actions.openSettings('privacy');
    actions.setup.askForDeletion('all');
  };
  return [
    command('talkKey', Keyboard, t('palette.talkKey'), setTalkKey, { isSearchOnly: true }),
    command('deleteAll', Trash2, t('palette.deleteAll'), deleteAll, { isSearchOnly: true }),
  ];
}

function programCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { setInspector, setShortcuts, openGuide, reporting, openSettings, quit } = actions;
  const command = commandFactory('program', context);
  const inspects = view.inspectorOpen;
  return [
    command(
      'inspector',
      Activity,
      t(inspects ? 'inspector.close' : 'inspector.open'),
      () => setInspector(!inspects),
      keysFor(context, 'inspector'),
    ),
    command(
      'shortcuts',
      Keyboard,
      t('settings.rows.keys.shortcuts.name'),
      () => setShortcuts(true),
      keysFor(context, 'shortcuts'),
    ),
    command('guide', BookOpen, t('guide.title'), () => openGuide()),
    command('report', Flag, t('report.action'), () => reporting.open({ kind: 'last' })),
    command('about', Info, t('palette.about'), () => openSettings('about')),
    ...(view.windows === undefined
      ? []
      : [command('quit', LogOut, t('palette.quit'), () => void quit(), { keys: commandKey('Q') })]),
  ];
}

/** A short choice of caption sizes; the settings offer all. */
const captionSizes = [28, 38, 50] as const;
const themeIcons = { light: Sun, dark: Moon, system: SunMoon } as const;
/** Percent, as in the settings. */
const textSizes = { min: 80, max: 200, step: 10 } as const;
/** Theme, language, text size and caption size, without the current values. */
function appearanceCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, t } = context;
  const { changeSettings } = context.actions;
  const appearance = selectAppearance(view);
  const { size } = selectCaptions(view);
  const command = commandFactory('looks', context);
  const languageNames = languageChoices(t);
  const sizeNames = t('shell.captionSizes', { returnObjects: true });
  const under = (what: string, which: string): string => t('shell.under', { what, which });
  const themes = (['light', 'dark', 'system'] as const).filter((each) => each !== appearance.theme);
  const languages = [...languageIds, 'system' as const].filter(
    (each) => each !== appearance.language,
  );
  return [
    ...themes.map((theme): PaletteCommand => ({
      group: 'looks',
      icon: themeIcons[theme],
      name: under(
        t('settings.rows.appearance.theme.name'),
        t(`settings.choices.appearance.theme.${theme}`),
      ),
      keywords: t(`palette.also.themes.${theme}`),
      run: () => void changeSettings({ appearance: { theme } }),
    })),
    ...languages.map((language) => {
      const name = under(t('settings.rows.appearance.language.name'), languageNames[language]);
      const choose = (): void => void changeSettings({ appearance: { language } });
      return command('language', Languages, name, choose);
    }),
    ...textSizeCommands(context),
    ...captionSizes
      .filter((each) => each !== size)
      .map((each) => {
        const name = under(t('settings.rows.captions.size.name'), sizeNames[each]);
        const choose = (): void => void changeSettings({ captions: { size: each } });
        return command('captionSize', CaseSensitive, name, choose, { showsToast: true });
      }),
  ];
}

/** Changes the size by one step; the command can be repeated. */
function textSizeCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  const current = view.settings?.appearance.textSize ?? 100;
  const { min, max, step } = textSizes;
  return (['larger', 'smaller'] as const)
    .map((direction) => ({
      direction,
      textSize: direction === 'larger' ? current + step : current - step,
    }))
    .filter(({ textSize }) => textSize >= min && textSize <= max)
    .map(({ direction, textSize }) => ({
      group: 'looks',
      icon: direction === 'larger' ? AArrowUp : AArrowDown,
      name: t('shell.under', {
        what: t('settings.rows.appearance.textSize.name'),
        which: t(`settings.appearance.${direction}`),
      }),
      keywords: t(`palette.also.textSize.${direction}`),
      run: () => void actions.changeSettings({ appearance: { textSize } }),
    }));
}
