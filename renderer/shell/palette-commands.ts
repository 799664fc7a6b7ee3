import type { TFunction } from 'i18next';
import { replayExamples } from '../../shared/replay/replay-view.ts';
import { languageIds } from '../../shared/i18n/languages.ts';
import { languageChoices } from '../i18n/use-language.ts';
import type { Actions } from '../store/actions.ts';
import { keyName } from '../keys/key-name.ts';
import { appearanceOf, captionsOf, talkKeyOf, windowKeysOf } from '../store/page-style.ts';
import { settingsSections } from '../store/settings/settings-ui-state.ts';
import { screenNames } from '../store/ui-state.ts';
import type { UiState } from '../store/ui-state.ts';
import { windowKeySigns } from '../keys/window-keys.ts';
import type { WindowKeyName } from '../../shared/settings/key-settings.ts';

/** The sizes of captions that are offered where there is no room for all; the settings have the rest. */
const captionSizes = [28, 38, 50] as const;

export interface PaletteCommand {
  readonly name: string;
  readonly keys?: string;
  readonly run: () => void;
}

/** What can be done at the moment, the likeliest first. */
export function paletteCommands(
  view: UiState,
  actions: Actions,
  t: TFunction,
): readonly PaletteCommand[] {
  return [
    ...replayCommands(view, actions, t),
    ...talkCommands(view, actions, t),
    ...shellCommands(view, actions, t),
    ...exampleCommands(actions, t),
  ];
}

/** Of the replay that is looked at; of one that waits, the way back to it. */
function replayCommands(
  { screen, replay }: UiState,
  { go, replay: actions }: Actions,
  t: TFunction,
): PaletteCommand[] {
  if (replay.kind === 'none') return [];
  if (screen !== 'replay') {
    const back = (): void => {
      go('replay');
    };
    return [{ name: t('places.replay'), run: back }];
  }
  const close = { name: t('replay.close'), keys: 'Esc', run: () => void actions.close() };
  if (replay.kind !== 'open') return [close];
  // A talk may go on meanwhile, and has a pause of its own.
  const named = (which: string) => t('shell.under', { what: t('places.replay'), which });
  const toggle = t(replay.play.playing ? 'replay.pause' : 'replay.play');
  return [
    { name: named(toggle), run: () => void actions.toggle() },
    { name: named(t('replay.next')), keys: ']', run: () => void actions.step('next') },
    { name: named(t('replay.previous')), keys: '[', run: () => void actions.step('previous') },
    close,
  ];
}

function exampleCommands({ replay }: Actions, t: TFunction): PaletteCommand[] {
  return replayExamples.map((example) => ({
    name: t('shell.under', {
      what: t('replay.examples.see'),
      which: t(`replay.examples.${example}.name`),
    }),
    run: () => void replay.open({ kind: 'example', example }),
  }));
}

function talkCommands(view: UiState, actions: Actions, t: TFunction): PaletteCommand[] {
  const { talkState, controls, keeping } = view;
  const { incognito } = keeping;
  const { phase } = talkState.value;
  if (phase === 'ending') return [];
  if (phase === 'idle' || phase === 'ended') {
    return [
      { name: t('talk.start'), run: () => void actions.start('audio') },
      { name: t('talk.startSeeing'), run: () => void actions.startWithCamera() },
      { name: t('talk.startSharing'), run: () => void actions.pick('screen', true) },
      {
        name: t(incognito ? 'history.incognito.turnOff' : 'history.incognito.turnOn'),
        run: () => void actions.history.setIncognito(!incognito),
      },
    ];
  }
  const end = { name: t('talk.end'), ...keysOf(view, 'end', t), run: () => void actions.end() };
  if (phase !== 'live') return [end];
  const { muted, paused, talking } = controls;
  const modes = ['open', 'hold', 'tap', 'holdOrTap'] as const;
  const key = keyName(talkKeyOf(view), t('keys', { returnObjects: true }));
  return [
    {
      name: t('talk.interrupt'),
      ...keysOf(view, 'interrupt', t),
      run: () => void actions.interrupt(),
    },
    {
      name: t(muted ? 'talk.unmute' : 'talk.mute'),
      ...keysOf(view, 'mute', t),
      run: () => void actions.setMuted(!muted),
    },
    {
      name: t(paused ? 'talk.resume' : 'talk.pause'),
      ...keysOf(view, 'pause', t),
      run: () => void actions.setPaused(!paused),
    },
    ...(keeping.recent === undefined
      ? []
      : [
          {
            name: t('settings.rows.keys.keepRecent.name'),
            ...keysOf(view, 'keepRecent', t),
            run: () => void actions.history.keepRecent(),
          },
        ]),
    end,
    ...modes
      .filter((mode) => mode !== talking)
      .map((mode) => ({
        name: t('shell.under', {
          what: t('talk.talking'),
          which: t(`talk.talkings.${mode}`, { key }),
        }),
        run: () => void actions.setTalking(mode),
      })),
  ];
}

function shellCommands(view: UiState, actions: Actions, t: TFunction): PaletteCommand[] {
  const { screen, windows, inspectorOpen } = view;
  const appearance = appearanceOf(view);
  const { size } = captionsOf(view);
  const screens = screenNames.filter((name) => name !== screen);
  const themes = (['light', 'dark', 'system'] as const).filter((name) => name !== appearance.theme);
  const languageNames = languageChoices(t);
  const languages = [...languageIds, 'system' as const].filter(
    (name) => name !== appearance.language,
  );
  const sizeNames = t('shell.captionSizes', { returnObjects: true });
  const sizes = captionSizes.filter((each) => each !== size);
  return [
    ...(windows === undefined
      ? []
      : [{ name: t('mini.open'), run: () => void actions.showMini() }]),
    ...screens.map((name) => ({
      name: t(`places.${name}`),
      run: () => {
        actions.go(name);
      },
    })),
    {
      name: t(inspectorOpen ? 'inspector.close' : 'inspector.open'),
      ...keysOf(view, 'inspector', t),
      run: () => {
        actions.setInspector(!inspectorOpen);
      },
    },
    {
      name: t('shortcuts.name'),
      ...keysOf(view, 'shortcuts', t),
      run: () => {
        actions.setShortcuts(true);
      },
    },
    {
      name: t('report.action'),
      run: () => {
        actions.reporting.open({ kind: 'last' });
      },
    },
    ...settingsSections.map((section) => ({
      name: t('shell.under', {
        what: t('places.settings'),
        which: t(`settings.sections.${section}`),
      }),
      run: () => {
        actions.openSettings(section);
      },
    })),
    ...themes.map((theme) => ({
      name: t('shell.under', { what: t('shell.theme'), which: t(`shell.themes.${theme}`) }),
      run: () => void actions.changeSettings({ appearance: { theme } }),
    })),
    ...languages.map((language) => ({
      name: t('shell.under', {
        what: t('shell.language'),
        which: languageNames[language],
      }),
      run: () => void actions.changeSettings({ appearance: { language } }),
    })),
    ...sizes.map((size) => ({
      name: t('shell.under', { what: t('shell.captionSize'), which: sizeNames[size] }),
      run: () => void actions.changeSettings({ captions: { size } }),
    })),
  ];
}

/** The first that does it, where one does. */
function keysOf(view: UiState, name: WindowKeyName, t: TFunction): Pick<PaletteCommand, 'keys'> {
  const names = t('keys', { returnObjects: true });
  const platform = globalThis.navigator?.platform ?? '';
  const [keys] = windowKeySigns(windowKeysOf(view), name, names, platform);
  return keys === undefined ? {} : { keys };
}

/** Those whose name has every word that was typed, whatever the order. */
export function findPaletteCommands(
  commands: readonly PaletteCommand[],
  typed: string,
): readonly PaletteCommand[] {
  const wanted = typed.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  return commands.filter(({ name }) => {
    const lower = name.toLocaleLowerCase();
    return wanted.every((word) => lower.includes(word));
  });
}
