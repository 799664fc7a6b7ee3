import { Settings } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryItem } from '../../../shared/recordings/history-item.ts';
import { Sheet } from '../../design/sheet.tsx';
import { messagesOf } from '../../i18n/page-language.ts';
import type { SettingText } from '../../settings/controls/use-settings.ts';
import type { FoundSetting } from '../../settings/find-settings.ts';
import { useActions, useAppContext, useUiState } from '../use-app-context.ts';
import { choiceCommands, talkEntryCommands } from './choice-commands.ts';
import { findPaletteCommands, type PaletteCommand } from './palette-command.ts';
import { paletteCommands } from './palette-commands.ts';
import './command-palette.css';

/** Everything that can be done, one key away. */
export function CommandPalette() {
  const { t } = useTranslation();
  const { setPalette } = useActions();
  const open = useUiState(({ paletteOpen }) => paletteOpen);
  return (
    <Sheet name={t('shell.commands')} open={open} setOpen={setPalette}>
      <PaletteBody />
    </Sheet>
  );
}

function PaletteBody() {
  const { t } = useTranslation();
  const { setPalette, tell } = useActions();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const groups = findPaletteCommands(usePaletteCommands(typed), typed);
  const found = groups.flatMap(({ commands }) => commands);
  const at = Math.min(marked, Math.max(0, found.length - 1));

  const run = (command: PaletteCommand | undefined): void => {
    if (command === undefined) return;
    setPalette(false);
    command.run();
    if (command.tells === true) tell(command.name);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setMarked((at + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[at]);
    }
  };
  return (
    <div className="palette">
      <input
        type="text"
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `command-${at}` : undefined}
        aria-label={t('shell.find')}
        placeholder={t('shell.find')}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label={t('shell.commands')}>
        {groups.map(({ group, commands }) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <div id={`${id}-${group}`} className="palette-group" role="presentation">
              {t(`palette.groups.${group}`)}
            </div>
            {commands.map((command) => {
              const index = found.indexOf(command);
              return (
                <Option
                  key={command.name}
                  command={command}
                  index={index}
                  marked={index === at}
                  mark={setMarked}
                  run={run}
                />
              );
            })}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="palette-nothing">{t('shell.nothingFound')}</p>}
    </div>
  );
}

interface OptionProps {
  readonly command: PaletteCommand;
  readonly index: number;
  readonly marked: boolean;
  readonly mark: (index: number) => void;
  readonly run: (command: PaletteCommand) => void;
}

function Option({ command, index, marked, mark, run }: OptionProps) {
  const { icon: Icon, name, keys } = command;
  return (
    <div
      id={`command-${index}`}
      role="option"
      aria-selected={marked}
      ref={(element) => {
        if (marked) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerMove={() => {
        mark(index);
      }}
      onClick={() => {
        run(command);
      }}
    >
      <Icon strokeWidth={1.75} aria-hidden />
      <span className="palette-name" dir="auto">
        {name}
      </span>
      {keys !== undefined && <kbd>{keys}</kbd>}
    </div>
  );
}

/** The newest; older ones are found in History. */
const mostTalks = 200;

/**
 * Everything that can be done. What can be done at once is as it was when the palette opened: a list that changes under
 * the hand is clicked wrongly. What has to be asked for comes after it, and settings are looked for as one types.
 */
function usePaletteCommands(typed: string): readonly PaletteCommand[] {
  const { t, i18n } = useTranslation();
  const { store, actions, request } = useAppContext();
  const [frozen] = useState(() => paletteCommands({ view: store.getState(), actions, t }));
  const devices = useUiState(({ settingsUi }) => settingsUi.devices);
  const voices = useUiState(({ settingsUi }) => settingsUi.voices);
  const list = useUiState(({ chat }) => chat.list);
  const find = useSettingsIndex();
  const [talks, setTalks] = useState<readonly HistoryItem[]>([]);
  useEffect(() => {
    void (async () => {
      const asked = { filter: { kind: 'talk' }, skip: 0, count: mostTalks } as const;
      const reply = await request('history', asked);
      // Where they cannot be had the rest of the palette is there all the same; History says why.
      if (reply.ok) setTalks(reply.value.entries);
    })();
  }, [request]);
  useEffect(() => {
    void actions.setup.readDevices();
    void actions.setup.readVoices();
    void actions.chat.read();
  }, [actions]);
  const chosen = useMemo(() => {
    const view = store.getState();
    const settingsUi = { ...view.settingsUi, devices, voices };
    const context = {
      view: { ...view, settingsUi, chat: { ...view.chat, list } },
      actions,
      t,
    };
    return [...choiceCommands(context), ...talkEntryCommands(context, talks)];
  }, [store, actions, t, devices, voices, list, talks]);
  const rows: Readonly<Record<string, Readonly<Record<string, SettingText>>>> =
    messagesOf(i18n).settings.rows;
  const settings = find(typed).flatMap(({ section, id }): PaletteCommand[] => {
    const text = rows[section]?.[id.slice(section.length + 1)];
    if (text === undefined) return [];
    return [
      {
        group: 'settings',
        icon: Settings,
        name: t('shell.under', { what: t(`settings.sections.${section}`), which: text.name }),
        // It was found by its own words, in any language.
        also: typed,
        run: () => {
          actions.openSettings(section);
          actions.setup.goTo(section, id);
        },
      },
    ];
  });
  return [...frozen, ...chosen, ...settings];
}

type Find = (typed: string) => readonly FoundSetting[];

/** It is read when it is first needed: no other screen than the settings has the words of every language. */
function useSettingsIndex(): Find {
  const [find, setFind] = useState<Find>(() => () => []);
  useEffect(() => {
    let gone = false;
    void (async () => {
      const { findSettings, loadSettingsIndex } = await import('../../settings/find-settings.ts');
      await loadSettingsIndex();
      if (!gone) setFind(() => findSettings);
    })();
    return () => {
      gone = true;
    };
  }, []);
  return find;
}
