import type { TFunction } from 'i18next';
import { keyName } from '../keys/key-name.ts';
import {
  inspectorKeys,
  paletteKeys,
  shortcutsKeys,
  withCommandKey,
} from '../keys/shortcut-keys.ts';

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
  { talkKey, platform, mini }: Facts,
): readonly ShortcutGroup[] {
  const talking = keyName(talkKey, t('keys', { returnObjects: true }));
  return [
    {
      name: t('shortcuts.groups.everywhere'),
      lines: [
        line(t('shell.commands'), paletteKeys(platform)),
        line(t('inspector.name'), inspectorKeys(platform)),
        line(t('shortcuts.lines.shortcuts'), ...shortcutsKeys),
        line(t('shortcuts.lines.close'), 'Esc'),
      ],
    },
    {
      name: t('shortcuts.groups.talk'),
      lines: [line(t('shortcuts.lines.talkKey'), talking), line(t('talk.interrupt'), 'Esc')],
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
