import {
  AArrowDown,
  AArrowUp,
  Activity,
  AudioLines,
  BookOpen,
  Camera,
  CaseSensitive,
  CassetteTape,
  Clapperboard,
  EyeOff,
  Flag,
  Hand,
  History,
  Info,
  Keyboard,
  Languages,
  LogOut,
  type LucideIcon,
  MessageSquare,
  Mic,
  MicOff,
  MonitorUp,
  Moon,
  Pause,
  PhoneOff,
  PictureInPicture2,
  Play,
  Settings,
  SkipBack,
  SkipForward,
  SquarePen,
  Sun,
  SunMoon,
  TextCursorInput,
  Trash2,
  Volume2,
  Wrench,
  X,
} from 'lucide-react';
import { languageIds } from '../../../shared/i18n/languages.ts';
import { replayExamples } from '../../../shared/recordings/replay-view.ts';
import { isTalkOver, type PushToTalkMode } from '../../../shared/talk/talk-view.ts';
import { languageChoices } from '../../i18n/page-language.ts';
import { keyName } from '../../keys/window-keys.ts';
import { settingsSections } from '../../settings/settings-ui-state.ts';
import { mayContinue } from '../../talk/talk-ui-state.ts';
import { selectAppearance, selectCaptions, selectTalkKey } from '../page-style.ts';
import { screenNames } from '../ui-state.ts';
import {
  commandFactory,
  commandKey,
  keysFor,
  type PaletteCommand,
  type PaletteContext,
} from './palette-command.ts';

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

/** In pixels: a few caption sizes. The settings offer all. */
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

const modes = ['open', 'hold', 'tap', 'holdOrTap'] as const;

/** Talk commands that apply now, most likely first. */
function talkCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { phase } = view.talkState.value;
  if (phase === 'ending') return [];
  if (isTalkOver(phase)) return startCommands(context);
  const command = commandFactory('talk', context);
  const endKeys = keysFor(context, 'end');
  const end = command('end', PhoneOff, t('talk.end'), () => void actions.end(), endKeys);
  return phase === 'live' ? liveCommands(context, end) : [end];
}

function startCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { start, startWithCamera, pick, history, changeSettings } = actions;
  const { incognito } = view.storage;
  const incognitoName = t(`history.incognito.${incognito ? 'turnOff' : 'turnOn'}`);
  const command = commandFactory('talk', context);
  return [
    ...continueCommands(context),
    command('start', Mic, t('talk.start'), () => void start('audio')),
    command('startSeeing', Camera, t('talk.startSeeing'), () => void startWithCamera()),
    command('startSharing', MonitorUp, t('talk.startSharing'), () => void pick('screen', true)),
    command('incognito', EyeOff, incognitoName, () => void history.setIncognito(!incognito)),
    ...modeCommands(
      context,
      view.settings?.talking.mode,
      (mode) => void changeSettings({ talking: { mode } }),
    ),
  ];
}

/** A dismissed talk can also be continued until the next one starts. */
function continueCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const state = view.talkState.value;
  if (state.phase !== 'ended' || !mayContinue(state)) return [];
  const goOn = (): void => {
    actions.go('talk');
    void actions.continueTalk('transcript');
  };
  return [commandFactory('talk', context)('goOn', Play, t('talk.ended.goOn'), goOn)];
}

function modeCommands(
  context: PaletteContext,
  current: PushToTalkMode | undefined,
  choose: (mode: PushToTalkMode) => void,
): readonly PaletteCommand[] {
  const { view, t } = context;
  const key = keyName(selectTalkKey(view), t('keys', { returnObjects: true }));
  const command = commandFactory('talk', context);
  const what = t('settings.rows.talking.mode.name');
  return modes
    .filter((mode) => mode !== current)
    .map((mode) => {
      const name = t('shell.under', { what, which: t(`talk.talkings.${mode}`, { key }) });
      return command('talking', AudioLines, name, () => choose(mode), { showsToast: true });
    });
}

function liveCommands(context: PaletteContext, end: PaletteCommand): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { muted, paused, talking } = view.controls;
  const command = commandFactory('talk', context);
  const liveCommand = (
    name: 'interrupt' | 'mute' | 'pause' | 'keepRecent' | 'doRequest',
    icon: LucideIcon,
    label: string,
    run: () => void,
  ): PaletteCommand => command(name, icon, label, run, keysFor(context, name));
  const muteName = t(muted ? 'talk.unmute' : 'settings.rows.keys.mute.name');
  const pauseName = t(paused ? 'talk.resume' : 'talk.pause');
  const keepName = t('settings.rows.keys.keepRecent.name');
  const requestName = t('settings.rows.keys.doRequest.name');
  return [
    liveCommand(
      'interrupt',
      Hand,
      t('settings.rows.keys.interrupt.name'),
      () => void actions.interrupt(),
    ),
    liveCommand('mute', muted ? Mic : MicOff, muteName, () => void actions.setMuted(!muted)),
    liveCommand('pause', paused ? Play : Pause, pauseName, () => void actions.setPaused(!paused)),
    ...computerSoundCommands(context),
    ...(view.storage.recent === undefined
      ? []
      : [
          liveCommand(
            'keepRecent',
            CassetteTape,
            keepName,
            () => void actions.history.keepRecent(),
          ),
        ]),
    ...(view.settings?.tools.talks === true
      ? [liveCommand('doRequest', Wrench, requestName, () => void actions.doRequest())]
      : []),
    end,
    ...modeCommands(context, talking, (mode) => void actions.setTalking(mode)),
  ];
}

function computerSoundCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { kind } = view.computerSound;
  if (kind === 'unsupported') return [];
  const isOn = kind !== 'off';
  const name = t(isOn ? 'talk.computerSound.stop' : 'talk.computerSound.start');
  const turn = (): void => void actions.hearComputer(!isOn);
  return [commandFactory('talk', context)('hearComputer', Volume2, name, turn)];
}

function replayCommand(
  icon: LucideIcon,
  name: string,
  run: () => void,
  keys?: string,
): PaletteCommand {
  return { group: 'replay', icon, name, run, ...(keys !== undefined && { keys }) };
}

/** Commands of the open replay, or the command that returns to it. */
function replayCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  const { screen, replay } = view;
  const { toggle, step, close } = actions.replay;
  // A talk may run too and has a pause command, so the names say "replay".
  const inReplay = (which: string) => t('shell.under', { what: t('places.replay'), which });
  if (replay.kind === 'none') return [];
  if (screen !== 'replay')
    return [replayCommand(Clapperboard, t('places.replay'), () => actions.go('replay'))];
  const closing = replayCommand(X, t('replay.close'), () => void close(), 'Esc');
  if (replay.kind !== 'open') return [closing];
  const { playing } = replay.play;
  const toggleName = inReplay(t(playing ? 'replay.pause' : 'replay.play'));
  return [
    replayCommand(playing ? Pause : Play, toggleName, () => void toggle()),
    replayCommand(SkipForward, inReplay(t('replay.next')), () => void step('next'), ']'),
    replayCommand(SkipBack, inReplay(t('replay.previous')), () => void step('previous'), '['),
    closing,
  ];
}

function exampleCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { actions, t } = context;
  const command = commandFactory('examples', context);
  const what = t('replay.examples.see');
  return replayExamples.map((example) => {
    const name = t('shell.under', { what, which: t(`replay.examples.${example}.name`) });
    const open = (): void => void actions.replay.open({ kind: 'example', example });
    return command('examples', Clapperboard, name, open);
  });
}
