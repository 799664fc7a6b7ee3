import type { TFunction } from 'i18next';
import { keyName } from '../keys/key-name.ts';
import { windowKeySigns, withCommandKey } from '../keys/window-keys.ts';
import type { KeySettings, WindowKeyName } from '../../shared/settings/key-settings.ts';

export interface ShortcutLine {
  readonly name: string;
  /** Any of them does it. */
  readonly keys: readonly string[];
}

export interface ShortcutGroup {
  readonly name: string;
  readonly lines: readonly ShortcutLine[];
}

interface Facts {
  /** As it is set. */
  readonly talkKey: string;
  readonly keys: KeySettings;
  /** Where one is heard in every program. */
  readonly globalKey?: string | undefined;
  readonly platform: string;
  /** There is a mini window. */
  readonly mini: boolean;
}

function line(name: string, ...keys: readonly string[]): ShortcutLine {
  return { name, keys };
}

/** The keys of the window, by where they do what. */
export function shortcutList(
  t: TFunction,
  { talkKey, keys, globalKey, platform, mini }: Facts,
): readonly ShortcutGroup[] {
  const names = t('keys', { returnObjects: true });
  /** Nothing where no key does it. */
  const set = (name: string, key: WindowKeyName): readonly ShortcutLine[] => {
    const signs = windowKeySigns(keys, key, names, platform);
    return signs.length === 0 ? [] : [line(name, ...signs)];
  };
  return [
    {
      name: t('shortcuts.groups.everywhere'),
      lines: [
        ...set(t('shell.commands'), 'palette'),
        ...set(t('inspector.name'), 'inspector'),
        ...set(t('shortcuts.lines.shortcuts'), 'shortcuts'),
        line(t('palette.newChat'), withCommandKey(platform, 'N')),
        line(t('places.settings'), withCommandKey(platform, ',')),
        line(t('shortcuts.lines.places'), withCommandKey(platform, '1 … 4')),
        line(t('shortcuts.lines.search'), withCommandKey(platform, 'F')),
        line(t('shortcuts.lines.close'), 'Esc'),
      ],
    },
    {
      name: t('shortcuts.groups.talk'),
      lines: [
        line(t('shortcuts.lines.talkKey'), keyName(talkKey, names)),
        ...(globalKey === undefined
          ? []
          : [line(t('shortcuts.lines.globalKey'), keyName(globalKey, names))]),
        ...set(t('talk.interrupt'), 'interrupt'),
        ...set(t('talk.mute'), 'mute'),
        ...set(t('talk.cough'), 'cough'),
        ...set(t('talk.pause'), 'pause'),
        ...set(t('talk.end'), 'end'),
        ...set(t('settings.rows.keys.keepRecent.name'), 'keepRecent'),
      ],
    },
    {
      name: t('shortcuts.groups.chat'),
      lines: [
        line(t('shortcuts.lines.send'), 'Enter'),
        line(t('shortcuts.lines.newLine'), 'Shift Enter'),
        line(t('shortcuts.lines.paste'), withCommandKey(platform, 'V')),
        line(t('shortcuts.lines.stopEditing'), 'Esc'),
      ],
    },
    {
      name: t('places.replay'),
      lines: [
        line(t('shortcuts.lines.playReplay'), names.Space),
        line(t('shortcuts.lines.farther'), '← →'),
        line(t('shortcuts.lines.nearer'), 'Shift ← →'),
        line(t('shortcuts.lines.byWord'), 'Ctrl ← →'),
        line(t('shortcuts.lines.byEvent'), '[ ]'),
        line(t('shortcuts.lines.toEnds'), 'Home', 'End'),
        line(t('shortcuts.lines.speed'), '< >'),
      ],
    },
    {
      name: t('shortcuts.groups.history'),
      lines: [
        line(t('history.find'), '/'),
        line(t('shortcuts.lines.walk'), '↑ ↓', 'Page Up / Down'),
        line(t('history.actions.rename'), 'F2'),
        line(t('history.actions.remove'), 'Del'),
      ],
    },
    {
      name: t('shortcuts.groups.part'),
      lines: [
        line(t('shortcuts.lines.movePart'), '← ↑ ↓ →'),
        line(t('shortcuts.lines.sizePart'), 'Shift ← ↑ ↓ →'),
      ],
    },
    {
      name: t('shortcuts.groups.inspector'),
      lines: [
        line(t('shortcuts.lines.walk'), '↑ ↓', 'Page Up / Down'),
        line(t('shortcuts.lines.ends'), 'Home', 'End'),
      ],
    },
    ...(mini
      ? [
          {
            name: t('shortcuts.groups.mini'),
            lines: [line(t('shortcuts.lines.closeWindow'), withCommandKey(platform, 'W'))],
          },
        ]
      : []),
  ];
}
