import {
  AudioWaveform,
  Cable,
  History,
  MessageSquare,
  Mic,
  Server,
  Settings,
  Speaker,
} from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { soundChoiceName, type SoundChoice } from '../../../shared/settings/audio-settings.ts';
import type { HistoryItem } from '../../../shared/recordings/history-item.ts';
import type { EndpointProfile } from '../../../shared/settings/connection-settings.ts';
import { Sheet } from '../../design/layers.tsx';
import { entryTitle } from '../../history/history-text.ts';
import { getMessages } from '../../i18n/page-language.ts';
import { serverName } from '../../i18n/format.ts';
import { deviceChoices } from '../../settings/audio/sound-device-choices.ts';
import type { SettingText } from '../../settings/controls/setting.tsx';
import type { FoundSetting } from '../../settings/find-settings.ts';
import { useActions, useAppContext, useUiState } from '../app-context.ts';
import {
  commandFactory,
  findPaletteCommands,
  type PaletteCommand,
  type PaletteContext,
} from './palette-command.ts';
import { paletteCommands } from './palette-commands.ts';
import './command-palette.css';

export function CommandPalette() {
  const { t } = useTranslation();
  const { setPalette } = useActions();
  const isOpen = useUiState(({ paletteOpen }) => paletteOpen);
  return (
    <Sheet
      name={t('settings.rows.keys.palette.name')}
      open={isOpen}
      onClose={() => setPalette(false)}
    >
      <PaletteBody />
    </Sheet>
  );
}

function PaletteBody() {
  const { t } = useTranslation();
  const { setPalette, showToast } = useActions();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [selectedIndex, setSelectedIndex] = useState(0);
  const groups = findPaletteCommands(usePaletteCommands(typed), typed);
  const found = groups.flatMap(({ commands }) => commands);
  const activeIndex = Math.min(selectedIndex, Math.max(0, found.length - 1));

  const run = (command: PaletteCommand | undefined): void => {
    if (command === undefined) return;
    setPalette(false);
    command.run();
    if (command.showsToast === true) showToast(command.name);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setSelectedIndex((activeIndex + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[activeIndex]);
    }
  };
  return (
    <div className="palette">
      <input
        type="text"
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `command-${activeIndex}` : undefined}
        aria-label={t('shell.find')}
        placeholder={t('shell.find')}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setSelectedIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label={t('settings.rows.keys.palette.name')}>
        {groups.map(({ group, commands }) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <div id={`${id}-${group}`} className="palette-group hint" role="presentation">
              {t(`palette.groups.${group}`)}
            </div>
            {commands.map((command) => {
              const index = found.indexOf(command);
              return (
                <Option
                  key={index}
                  command={command}
                  index={index}
                  isActive={index === activeIndex}
                  onActivate={setSelectedIndex}
                  onRun={run}
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
  readonly isActive: boolean;
  readonly onActivate: (index: number) => void;
  readonly onRun: (command: PaletteCommand) => void;
}

function Option({ command, index, isActive, onActivate, onRun }: OptionProps) {
  const { icon: Icon, name, keys } = command;
  return (
    <div
      id={`command-${index}`}
      role="option"
      aria-selected={isActive}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerMove={() => onActivate(index)}
      onClick={() => onRun(command)}
    >
      <Icon strokeWidth={1.75} aria-hidden />
      <span className="palette-name" dir="auto">
        {name}
      </span>
      {keys !== undefined && <kbd>{keys}</kbd>}
    </div>
  );
}

/** Newest talks only; History finds older ones. */
const maxTalks = 200;

/**
 * Commands of the palette. Commands that need no request are fixed when the palette opens, so that the list does not
 * change under the pointer. Devices, voices, chats and talks follow when the core has sent them. Settings are searched
 * as the user types.
 */
function usePaletteCommands(typed: string): readonly PaletteCommand[] {
  const { t, i18n } = useTranslation();
  const { store, actions, request } = useAppContext();
  const [immediate] = useState(() => paletteCommands({ view: store.getState(), actions, t }));
  const devices = useUiState(({ settingsUi }) => settingsUi.devices);
  const voices = useUiState(({ settingsUi }) => settingsUi.voices);
  const list = useUiState(({ chat }) => chat.list);
  const find = useSettingsIndex();
  const [talks, setTalks] = useState<readonly HistoryItem[]>([]);
  useEffect(() => {
    void (async () => {
      const query = { filter: { kind: 'talk' }, skip: 0, count: maxTalks } as const;
      const reply = await request('history', query);
      // On failure the other commands still work, and History shows the error.
      if (reply.ok) setTalks(reply.value.entries);
    })();
  }, [request]);
  useEffect(() => {
    void actions.setup.readDevices();
    void actions.setup.readVoices();
    void actions.chat.read();
  }, [actions]);
  const fetched = useMemo(() => {
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
    getMessages(i18n).settings.rows;
  const settings = find(typed).flatMap(({ section, id }): PaletteCommand[] => {
    const text = rows[section]?.[id.slice(section.length + 1)];
    if (text === undefined) return [];
    return [
      {
        group: 'settings',
        icon: Settings,
        name: t('shell.under', { what: t(`settings.sections.${section}`), which: text.name }),
        // The settings index has matched this setting, in any language. With the typed text as keywords, it always
        // matches here.
        keywords: typed,
        run: () => {
          actions.openSettings(section);
          actions.setup.goTo(section, id);
        },
      },
    ];
  });
  return [...immediate, ...fetched, ...settings];
}

type Find = (typed: string) => readonly FoundSetting[];

/** Loaded on first use, because it contains the texts of every language. */
function useSettingsIndex(): Find {
  const [find, setFind] = useState<Find>(() => () => []);
  useEffect(() => {
    let isUnmounted = false;
    void (async () => {
      const { findSettings, loadSettingsIndex } = await import('../../settings/find-settings.ts');
      await loadSettingsIndex();
      if (!isUnmounted) setFind(() => findSettings);
    })();
    return () => {
      isUnmounted = true;
    };
  }, []);
  return find;
}

/** Servers, devices, voices and chats by name. All but the servers may arrive while the palette is open. */
export function choiceCommands(context: PaletteContext): readonly PaletteCommand[] {
  return [
    ...serverCommands(context),
    ...deviceCommands(context, 'microphone'),
    ...deviceCommands(context, 'speaker'),
    ...voiceCommands(context),
    ...chatCommands(context),
  ];
}

function serverCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { chosen, list = [] } = view.settings?.endpoints ?? {};
  const labelOf = (what: string, { kind, name }: EndpointProfile): string =>
    t('shell.under', {
      what,
      which: kind === 'embedded' || kind === 'computer' ? serverName(t, name) : name,
    });
  const current = list.find(({ id }) => id === chosen);
  const others = list
    .filter(({ id }) => id !== chosen)
    .map((server): PaletteCommand => ({
      group: 'servers',
      icon: Server,
      name: labelOf(t('settings.rows.endpoints.list.name'), server),
      keywords: `${server.url} ${t('palette.also.server')}`,
      showsToast: true,
      run: () => void actions.changeSettings({ endpoints: { chosen: server.id } }),
    }));
  if (current === undefined) return others;
  const test = (): void => {
    actions.openSettings('endpoints');
    void actions.setup.testServer(current.id);
  };
  const name = labelOf(t('settings.servers.test'), current);
  return [
    ...others,
    commandFactory('servers', context)('testServer', Cable, name, test, { isSearchOnly: true }),
  ];
}

/** Listed only in search results, and confirmed after it ran. */
const searchOnlyToast = { isSearchOnly: true, showsToast: true } as const;

function deviceCommands(
  context: PaletteContext,
  kind: 'microphone' | 'speaker',
): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const command = commandFactory('sound', context);
  const { usableDevices } = deviceChoices(t, kind, view.settingsUi.devices ?? []);
  const what = t(`settings.rows.audio.${kind}.name`);
  const isDefault = (view.settings?.audio[kind] ?? 'default') === 'default';
  const deviceCommand = (which: string, device: SoundChoice): PaletteCommand =>
    command(
      kind,
      kind === 'microphone' ? Mic : Speaker,
      t('shell.under', { what, which }),
      () => void actions.changeSettings({ audio: { [kind]: device } }),
      searchOnlyToast,
    );
  return [
    ...usableDevices.map((device) => {
      const { name, hostApi } = device;
      return deviceCommand(soundChoiceName(device, usableDevices), { name, hostApi });
    }),
    ...(isDefault ? [] : [deviceCommand(t('settings.sound.system'), 'default')]),
  ];
}

function voiceCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const command = commandFactory('voices', context);
  const what = t('settings.rows.voices.speech.name');
  return (view.settingsUi.voices ?? [])
    .filter(({ id }) => id !== view.settings?.voices.speech)
    .map(({ id, name }) => {
      const choose = (): void => void actions.changeSettings({ voices: { speech: id } });
      return command(
        'voice',
        AudioWaveform,
        t('shell.under', { what, which: name }),
        choose,
        searchOnlyToast,
      );
    });
}

function chatCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  return view.chat.list.map(({ id, title }) => ({
    group: 'chats',
    icon: MessageSquare,
    name: t('shell.under', {
      what: t('places.chat'),
      which: title === '' ? t('chat.list.untitled') : title,
    }),
    isSearchOnly: true,
    run: () => {
      actions.go('chat');
      void actions.chat.open(id);
    },
  }));
}

function talkEntryCommands(
  { actions, t }: PaletteContext,
  items: readonly HistoryItem[],
): readonly PaletteCommand[] {
  return items
    .filter(({ kind }) => kind === 'talk')
    .map((item) => ({
      group: 'chats',
      icon: History,
      name: t('shell.under', { what: t('places.talk'), which: entryTitle(item, t) }),
      isSearchOnly: true,
      run: () => actions.history.show(item.id),
    }));
}
