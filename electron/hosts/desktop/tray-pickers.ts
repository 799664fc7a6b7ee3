import type { ChatSummary } from '../../../shared/chat/chat-summary.ts';
import { fillMessage } from '../../../shared/i18n/fill-message.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { SoundChoice } from '../../../shared/settings/settings-groups.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import { soundChoiceName } from '../../../shared/sound/sound-choice-name.ts';
import type { ListedDevice } from '../../../shared/sound/listed-device.ts';
import type { PushToTalkMode } from '../../../shared/talk/talk-controls.ts';

/** What choosing an entry of one of the tray's submenus comes to. */
export type TrayChoice =
  | { readonly of: 'microphone' | 'speaker'; readonly device: SoundChoice }
  | { readonly of: 'mode'; readonly mode: PushToTalkMode }
  | { readonly of: 'recent'; readonly id: string };

/** A submenu, in which one is chosen or, of conversations, none. */
export interface TrayPicker {
  readonly of: TrayChoice['of'];
  readonly label: string;
  /** What stands there where there is nothing to choose. */
  readonly otherwise: string;
  readonly entries: readonly TrayPickerEntry[];
}

interface TrayPickerEntry {
  readonly label: string;
  readonly chosen?: boolean;
  readonly choice: TrayChoice;
}

export interface TrayChoices {
  readonly settings: Pick<Settings, 'audio' | 'talking'>;
  readonly devices: readonly ListedDevice[];
  /** The newest first. */
  readonly chats: readonly ChatSummary[];
}

type Words = CoreMessages['desktop'];

/** More would be a list to read, and the window has a search. */
const maxRecent = 8;
const maxTitle = 60;

/** What can be chosen in the tray: devices, way of talking, conversations. */
export function trayPickers(choices: TrayChoices, words: Words): readonly TrayPicker[] {
  return [
    devicePicker('microphone', choices, words),
    devicePicker('speaker', choices, words),
    modePicker(choices.settings.talking.mode, words),
    recentPicker(choices.chats, words),
  ];
}

function devicePicker(
  of: 'microphone' | 'speaker',
  { settings, devices }: TrayChoices,
  words: Words,
): TrayPicker {
  const set = settings.audio[of];
  const usable = devices.filter(({ inputChannels, outputChannels }) =>
    of === 'microphone' ? inputChannels > 0 : outputChannels > 0,
  );
  const entry = (label: string, device: SoundChoice, chosen: boolean): TrayPickerEntry => ({
    label,
    chosen,
    choice: { of, device },
  });
  const isSet = ({ name, hostApi }: ListedDevice): boolean =>
    set !== 'default' && set.name === name && (set.hostApi ?? hostApi) === hostApi;
  const there = usable.findIndex(isSet);
  const missing =
    set !== 'default' && there === -1
      ? [entry(fillMessage(words.deviceMissing, { name: set.name }), set, true)]
      : [];
  return {
    of,
    label: words[of],
    otherwise: words.noDevices,
    entries: [
      entry(words.systemDevice, 'default', set === 'default'),
      ...usable.map(({ name, hostApi }, index) =>
        entry(soundChoiceName({ name, hostApi }, usable), { name, hostApi }, index === there),
      ),
      ...missing,
    ],
  };
}

function modePicker(mode: PushToTalkMode, words: Words): TrayPicker {
  const modes = ['open', 'hold', 'tap', 'holdOrTap'] as const;
  return {
    of: 'mode',
    label: words.talkingMode,
    otherwise: '',
    entries: modes.map((each) => ({
      label: words.talkingModes[each],
      chosen: each === mode,
      choice: { of: 'mode', mode: each },
    })),
  };
}

function recentPicker(chats: readonly ChatSummary[], words: Words): TrayPicker {
  const newest = chats.toSorted((one, other) => other.updatedAt - one.updatedAt);
  return {
    of: 'recent',
    label: words.recent,
    otherwise: words.noRecent,
    entries: newest.slice(0, maxRecent).map(({ id, title }) => ({
      label: shortTitle(title.trim() === '' ? words.untitled : title),
      choice: { of: 'recent', id },
    })),
  };
}

/** In characters as people count them, so that none is cut in two. */
function shortTitle(title: string): string {
  const line = title.replaceAll(/\s+/gu, ' ');
  if (line.length <= maxTitle) return line;
  const letters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return letters.length > maxTitle ? `${letters.slice(0, maxTitle - 1).join('')}…` : line;
}
