import { Settings } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryItem } from '../../../shared/history/history-item.ts';
import { messagesOf } from '../../i18n/create-i18n.ts';
import type { SettingText } from '../../settings/controls/setting-text.ts';
import type { FoundSetting } from '../../settings/find-settings.ts';
import { useAppContext, useUiState } from '../../store/use-app-context.ts';
import { choiceCommands, talkEntryCommands } from './choice-commands.ts';
import type { PaletteCommand } from './palette-command.ts';
import { paletteCommands } from './palette-commands.ts';

/** The newest; older ones are found in History. */
const mostTalks = 200;

/**
 * Everything that can be done. What can be done at once is as it was when the palette opened: a list that changes under
 * the hand is clicked wrongly. What has to be asked for comes after it, and settings are looked for as one types.
 */
export function usePaletteCommands(typed: string): readonly PaletteCommand[] {
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
