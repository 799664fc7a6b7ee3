import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { CursorSettings } from '../../shared/settings/cursor-settings.ts';
import { cursorKeys } from '../../shared/settings/key-owners.ts';
import type { KeySettings, WindowKeyName } from '../../shared/settings/app-settings.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { selectTalkKey, selectWindowKeys } from '../app/page-style.ts';
import { Sheet, SheetHeader } from '../design/layers.tsx';
import { keyName, windowKeyLabels, withCommandKey } from './window-keys.ts';
import './shortcuts-sheet.css';

export function ShortcutsSheet() {
  const { t } = useTranslation();
  const { setShortcuts } = useActions();
  const isOpen = useUiState(({ shortcutsOpen }) => shortcutsOpen);
  const talkKey = useUiState(selectTalkKey);
  const mini = useUiState(({ windows }) => windows !== undefined);
  const keys = useUiState(selectWindowKeys);
  const globalKey = useUiState(({ settings }) =>
    settings?.talking.everywhere === true ? settings.talking.globalKey : undefined,
  );
  const cursor = useUiState(({ settings }) => settings?.cursor);
  const facts = { talkKey, keys, globalKey, cursor, mini, platform: navigator.platform };
  const close = (): void => setShortcuts(false);
  return (
    <Sheet
      wide
      name={t('settings.rows.keys.shortcuts.name')}
      open={isOpen}
      onClose={() => setShortcuts(false)}
    >
      <div className="sheet-page">
        <SheetHeader title={t('settings.rows.keys.shortcuts.name')} onClose={close} />
        {/* Focusable for keyboard scrolling, because it contains no control. */}
        <div
          className="sheet-body"
          role="region"
          aria-label={t('settings.rows.keys.shortcuts.name')}
          tabIndex={0}
        >
          <div className="shortcuts">
            {shortcutList(t, facts).map((group) => (
              <Group key={group.name} group={group} />
            ))}
          </div>
        </div>
      </div>
    </Sheet>
  );
}

function Group({ group: { name, lines } }: { readonly group: ShortcutGroup }) {
  const { t } = useTranslation();
  return (
    <section className="shortcut-group">
      <h3>{name}</h3>
      <dl>
        {lines.map((line) => (
          <div key={line.name} className="shortcut">
            <dt>{line.name}</dt>
            <dd>
              {line.keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && <span className="shortcut-or hint">{t('shortcuts.or')}</span>}
                  <kbd dir="ltr">{key}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export interface ShortcutLine {
  readonly name: string;
  /** Any one of these keys works. */
  readonly keys: readonly string[];
}

interface ShortcutGroup {
  readonly name: string;
  readonly lines: readonly ShortcutLine[];
}

interface ShortcutOptions {
  readonly talkKey: string;
  readonly keys: KeySettings;
  /** Undefined if the global key is off. */
  readonly globalKey?: string | undefined;
  readonly cursor?: CursorSettings | undefined;
  readonly platform: string;
  readonly mini: boolean;
}

function line(name: string, ...keys: readonly string[]): ShortcutLine {
  return { name, keys };
}

/** Keys in other programs, and those of the small window. */
function cursorGroup(t: TFunction, cursor: CursorSettings, platform: string): ShortcutGroup {
  const names = t('keys', { returnObjects: true });
  const set = cursorKeys.filter((key) => cursor[key] !== 'none');
  return {
    name: t('settings.sections.cursor'),
    lines: [
      ...set.map((key) => line(t(`settings.rows.cursor.${key}.name`), keyName(cursor[key], names))),
      line(t('cursor.insertPlain'), 'Alt + Enter'),
      line(t('cursor.chat'), withCommandKey(platform, 'Enter')),
    ],
  };
}

export function shortcutList(
  t: TFunction,
  { talkKey, keys, globalKey, cursor, platform, mini }: ShortcutOptions,
): readonly ShortcutGroup[] {
  const names = t('keys', { returnObjects: true });
  /** Omitted if no key is set. */
  const set = (name: string, key: WindowKeyName): readonly ShortcutLine[] => {
    const signs = windowKeyLabels(keys, key, names, platform);
    return signs.length === 0 ? [] : [line(name, ...signs)];
  };
  return [
    {
      name: t('shortcuts.groups.everywhere'),
      lines: [
        ...set(t('settings.rows.keys.palette.name'), 'palette'),
        ...set(t('settings.rows.keys.inspector.name'), 'inspector'),
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
        ...set(t('settings.rows.keys.interrupt.name'), 'interrupt'),
        ...set(t('settings.rows.keys.mute.name'), 'mute'),
        ...set(t('settings.rows.keys.cough.name'), 'cough'),
        ...set(t('talk.pause'), 'pause'),
        ...set(t('talk.end'), 'end'),
        ...set(t('settings.rows.keys.keepRecent.name'), 'keepRecent'),
        ...set(t('settings.rows.keys.doRequest.name'), 'doRequest'),
      ],
    },
    ...(mini && cursor?.enabled === true ? [cursorGroup(t, cursor, platform)] : []),
    {
      name: t('shortcuts.groups.chat'),
      lines: [
        line(t('buttons.send'), 'Enter'),
        line(t('shortcuts.lines.newLine'), 'Shift + Enter'),
        line(t('shortcuts.lines.paste'), withCommandKey(platform, 'V')),
        line(t('shortcuts.lines.stopEditing'), 'Esc'),
      ],
    },
    {
      name: t('places.replay'),
      lines: [
        line(t('shortcuts.lines.playReplay'), names.Space),
        line(t('shortcuts.lines.farther'), '← →'),
        line(t('shortcuts.lines.nearer'), 'Shift + ← →'),
        line(t('shortcuts.lines.byWord'), 'Ctrl + ← →'),
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
        line(t('buttons.rename'), 'F2'),
        line(t('buttons.delete'), 'Del'),
      ],
    },
    {
      name: t('shortcuts.groups.part'),
      lines: [
        line(t('shortcuts.lines.movePart'), '← ↑ ↓ →'),
        line(t('shortcuts.lines.sizePart'), 'Shift + ← ↑ ↓ →'),
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
