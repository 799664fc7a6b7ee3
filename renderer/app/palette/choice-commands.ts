import { AudioWaveform, Cable, History, MessageSquare, Mic, Server, Speaker } from 'lucide-react';
import { type ListedDevice, soundChoiceName } from '../../../shared/audio/listed-device.ts';
import type { HistoryItem } from '../../../shared/recordings/history-item.ts';
import type { SoundChoice } from '../../../shared/settings/audio-settings.ts';
import type { RedactedProfile } from '../../../shared/settings/redacted-settings.ts';
import { entryTitle } from '../../history/history-text.ts';
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
  const called = ({ kind, name }: RedactedProfile): string =>
    kind === 'embedded' ? t('settings.servers.demonstration') : name;
  const now = list.find(({ id }) => id === chosen);
  const others = list
    .filter(({ id }) => id !== chosen)
    .map((server): PaletteCommand => ({
      group: 'servers',
      icon: Server,
      name: t('shell.under', {
        what: t('settings.rows.endpoints.list.name'),
        which: called(server),
      }),
      also: `${server.url} ${t('palette.also.server')}`,
      tells: true,
      run: () => void actions.changeSettings({ endpoints: { chosen: server.id } }),
    }));
  if (now === undefined) return others;
  return [
    ...others,
    {
      group: 'servers',
      icon: Cable,
      name: t('shell.under', { what: t('settings.servers.test'), which: called(now) }),
      also: t('palette.also.testServer'),
      sought: true,
      run: () => {
        actions.openSettings('endpoints');
        void actions.setup.testServer(now.id);
      },
    },
  ];
}

function deviceCommands(
  { view, actions, t }: PaletteContext,
  way: 'microphone' | 'speaker',
): readonly PaletteCommand[] {
  const devices = view.settingsUi.devices ?? [];
  const fitting = devices.filter((device: ListedDevice) =>
    way === 'microphone' ? device.inputChannels > 0 : device.outputChannels > 0,
  );
  const chosen = view.settings?.audio[way] ?? 'default';
  const command = (which: string, choice: SoundChoice): PaletteCommand => ({
    group: 'sound',
    icon: way === 'microphone' ? Mic : Speaker,
    name: t('shell.under', { what: t(`settings.rows.audio.${way}.name`), which }),
    also: t(`palette.also.${way}`),
    sought: true,
    tells: true,
    run: () => void actions.changeSettings({ audio: { [way]: choice } }),
  });
  return [
    ...fitting.map((device) => {
      const { name, hostApi } = device;
      return command(soundChoiceName(device, fitting), { name, hostApi });
    }),
    ...(chosen === 'default' ? [] : [command(t('settings.sound.system'), 'default')]),
  ];
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
      tells: true,
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
