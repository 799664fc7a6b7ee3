import { AudioWaveform, History, MessageSquare, Mic, Server, Speaker } from 'lucide-react';
import type { HistoryItem } from '../../../shared/history/history-item.ts';
import type { ListedDevice } from '../../../shared/sound/listed-device.ts';
import { soundChoiceName } from '../../../shared/sound/sound-choice-name.ts';
import { entryTitle } from '../../history/list/entry-title.ts';
import type { PaletteCommand, PaletteContext } from './palette-command.ts';

/** Servers, devices, voices and conversations, each by its own name. They come while the palette is open. */
export function choiceCommands(context: PaletteContext): readonly PaletteCommand[] {
  return [
    ...serverCommands(context),
    ...deviceCommands(context, 'microphone'),
    ...deviceCommands(context, 'speaker'),
    ...voiceCommands(context),
    ...chatCommands(context),
  ];
}

function serverCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  const { chosen, list = [] } = view.settings?.endpoints ?? {};
  return list
    .filter(({ id }) => id !== chosen)
    .map(({ id, name, url, kind }) => ({
      group: 'servers',
      icon: Server,
      name: t('shell.under', {
        what: t('settings.rows.endpoints.list.name'),
        which: kind === 'embedded' ? t('settings.servers.demonstration') : name,
      }),
      also: `${url} ${t('palette.also.server')}`,
      run: () => void actions.changeSettings({ endpoints: { chosen: id } }),
    }));
}

function deviceCommands(
  { view, actions, t }: PaletteContext,
  way: 'microphone' | 'speaker',
): readonly PaletteCommand[] {
  const devices = view.settingsUi.devices ?? [];
  const fitting = devices.filter((device: ListedDevice) =>
    way === 'microphone' ? device.inputChannels > 0 : device.outputChannels > 0,
  );
  return fitting.map((device) => ({
    group: 'sound',
    icon: way === 'microphone' ? Mic : Speaker,
    name: t('shell.under', {
      what: t(`settings.rows.audio.${way}.name`),
      which: soundChoiceName(device, fitting),
    }),
    also: t(`palette.also.${way}`),
    sought: true,
    run: () => {
      const { name, hostApi } = device;
      void actions.changeSettings({ audio: { [way]: { name, hostApi } } });
    },
  }));
}

function voiceCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  return (view.settingsUi.voices ?? [])
    .filter(({ id }) => id !== view.settings?.voices.speech)
    .map(({ id, name }) => ({
      group: 'voices',
      icon: AudioWaveform,
      name: t('shell.under', { what: t('settings.rows.voices.speech.name'), which: name }),
      also: t('palette.also.voice'),
      sought: true,
      run: () => void actions.changeSettings({ voices: { speech: id } }),
    }));
}

function chatCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  return view.chat.list.map(({ id, title }) => ({
    group: 'chats',
    icon: MessageSquare,
    name: t('shell.under', {
      what: t('places.chat'),
      which: title === '' ? t('chat.list.untitled') : title,
    }),
    sought: true,
    run: () => {
      actions.go('chat');
      void actions.chat.open(id);
    },
  }));
}

/** Talks that are kept, by what they are called. */
export function talkEntryCommands(
  { actions, t }: PaletteContext,
  items: readonly HistoryItem[],
): readonly PaletteCommand[] {
  return items
    .filter(({ kind }) => kind === 'talk')
    .map((item) => ({
      group: 'chats',
      icon: History,
      name: t('shell.under', { what: t('places.talk'), which: entryTitle(item, t) }),
      sought: true,
      run: () => {
        actions.history.show(item.id);
      },
    }));
}
