import type { TFunction } from 'i18next';
import type { Actions } from '../store/actions.ts';
import { keyName } from '../keys/key-name.ts';
import { appearanceOf, captionsOf, talkKeyOf } from '../store/look.ts';
import { sections } from '../store/settings-room.ts';
import type { View } from '../store/view.ts';
import { captionSizes } from './caption-sizes.ts';
import { inspectorKeys, shortcutsKeys } from './palette-keys.ts';

export interface Command {
  readonly name: string;
  readonly keys?: string;
  readonly run: () => void;
}

/** What can be done at the moment, the likeliest first. */
export function commandsFor(view: View, actions: Actions, t: TFunction): readonly Command[] {
  return [...talkCommands(view, actions, t), ...shellCommands(view, actions, t)];
}

function talkCommands(view: View, actions: Actions, t: TFunction): Command[] {
  const { state, controls } = view;
  const { phase } = state.value;
  if (phase === 'ending') return [];
  if (phase === 'idle' || phase === 'ended') {
    return [
      { name: t('talk.start'), run: () => void actions.start('audio') },
      { name: t('talk.startSeeing'), run: () => void actions.startWithCamera() },
      { name: t('talk.startSharing'), run: () => void actions.pick('screen', true) },
    ];
  }
  const end = { name: t('talk.end'), run: () => void actions.end() };
  if (phase !== 'live') return [end];
  const { muted, paused, talking } = controls;
  const modes = ['open', 'hold', 'tap', 'holdOrTap'] as const;
  const key = keyName(talkKeyOf(view), t('keys', { returnObjects: true }));
  return [
    { name: t('talk.interrupt'), keys: 'Esc', run: () => void actions.interrupt() },
    {
      name: t(muted ? 'talk.unmute' : 'talk.mute'),
      run: () => void actions.setMuted(!muted),
    },
    {
      name: t(paused ? 'talk.resume' : 'talk.pause'),
      run: () => void actions.setPaused(!paused),
    },
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

function shellCommands(view: View, actions: Actions, t: TFunction): Command[] {
  const { place, windows, inspectorOpen } = view;
  const appearance = appearanceOf(view);
  const { size } = captionsOf(view);
  const places = (['talk', 'chat', 'settings'] as const).filter((name) => name !== place);
  const themes = (['light', 'dark', 'system'] as const).filter((name) => name !== appearance.theme);
  const languages = (['en', 'zh', 'system'] as const).filter(
    (name) => name !== appearance.language,
  );
  const sizeNames = t('shell.captionSizes', { returnObjects: true });
  const sizes = captionSizes.filter((each) => each !== size);
  return [
    ...(windows === undefined
      ? []
      : [{ name: t('mini.open'), run: () => void actions.showMini() }]),
    ...places.map((name) => ({
      name: t(`places.${name}`),
      run: () => {
        actions.go(name);
      },
    })),
    {
      name: t(inspectorOpen ? 'inspector.close' : 'inspector.open'),
      keys: inspectorKeys(globalThis.navigator?.platform ?? ''),
      run: () => {
        actions.setInspector(!inspectorOpen);
      },
    },
    {
      name: t('shortcuts.name'),
      keys: shortcutsKeys[0],
      run: () => {
        actions.setShortcuts(true);
      },
    },
    ...sections.map((section) => ({
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
      name: t('shell.under', { what: t('shell.words'), which: t(`shell.languages.${language}`) }),
      run: () => void actions.changeSettings({ appearance: { language } }),
    })),
    ...sizes.map((size) => ({
      name: t('shell.under', { what: t('shell.captionSize'), which: sizeNames[size] }),
      run: () => void actions.changeSettings({ captions: { size } }),
    })),
  ];
}

/** Those whose name has every word that was typed, whatever the order. */
export function findCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const wanted = typed.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  return commands.filter(({ name }) => {
    const lower = name.toLocaleLowerCase();
    return wanted.every((word) => lower.includes(word));
  });
}
