import {
  type ListedDevice,
  soundChoiceName,
  type SoundChoice,
} from '../../../shared/settings/audio-settings.ts';
import type { ChatSummary } from '../../../shared/chat/chat-thread.ts';
import { type CoreMessages, fillMessage } from '../../../shared/i18n/messages.ts';
import type { ModelFilesState } from '../../../shared/model/local-model-state.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import type { PushToTalkMode, TalkState, TalkView } from '../../../shared/talk/talk-view.ts';

/** Icons in `resources/tray`. */
export const trayIconNames = ['ready', 'live', 'muted', 'paused', 'waiting', 'trouble'] as const;
export type TrayIconName = (typeof trayIconNames)[number];

export type TrayAction =
  | 'start'
  | 'continue'
  | 'end'
  | 'talkKey'
  | 'interrupt'
  | 'mute'
  | 'unmute'
  | 'pause'
  | 'keepRecent'
  | 'resume'
  | 'pauseModel'
  | 'downloadModel'
  | 'showMain'
  | 'showMini'
  | 'quickAsk'
  | 'quit';

export interface TrayItem {
  readonly action: TrayAction;
  readonly label: string;
  readonly enabled: boolean;
  /** Undefined for entries that cannot be switched on and off. */
  readonly checked?: boolean;
}

export interface TrayModel {
  readonly icon: TrayIconName;
  /** A short status for the tooltip. It is also the menu's first line, because some systems have no tooltips. */
  readonly status: string;
  /** Groups of entries, with separators between them. */
  readonly menu: readonly (readonly TrayItem[])[];
}

export type TrayTalk = Pick<TalkView, 'state' | 'controls' | 'devices' | 'storage'>;

/**
 * The tray's content for a talk and the model's files. `startsMuted`: the next talk will begin muted. `hasQuickAsk`: the
 * small window over other programs is on.
 */
export function trayModel(
  talk: TrayTalk,
  messages: CoreMessages['desktop'],
  startsMuted = false,
  files: ModelFilesState = { kind: 'unknown' },
  hasQuickAsk = false,
): TrayModel {
  const { state, controls } = talk;
  const isLive = state.phase === 'live';
  return {
    icon: chooseIcon(talk),
    status: [describeStatus(talk, messages), ...describeFiles(files, messages)].join(' · '),
    menu: [
      [
        ...startAndEndItems(state, messages, startsMuted ? messages.startMuted : messages.start),
        {
          action: 'talkKey',
          label: messages.talkKey,
          enabled: isLive && !controls.paused && controls.talking !== 'open',
          checked: isLive && controls.talking !== 'open' && controls.transmitting,
        },
        { action: 'interrupt', label: messages.interrupt, enabled: isLive && !controls.paused },
        controls.muted
          ? { action: 'unmute', label: messages.unmute, enabled: isLive }
          : { action: 'mute', label: messages.mute, enabled: isLive },
        controls.paused
          ? { action: 'resume', label: messages.resume, enabled: isLive }
          : { action: 'pause', label: messages.pause, enabled: isLive },
        // The last entry, because it is optional and the others should not move.
        ...(talk.storage.recent === undefined
          ? []
          : [{ action: 'keepRecent', label: messages.keepRecent, enabled: isLive } as const]),
      ],
      ...fileItems(files, messages),
      [
        { action: 'showMain', label: messages.showMain, enabled: true },
        { action: 'showMini', label: messages.showMini, enabled: true },
        ...(hasQuickAsk
          ? [{ action: 'quickAsk', label: messages.quickAsk, enabled: true } as const]
          : []),
      ],
      [{ action: 'quit', label: messages.quit, enabled: true }],
    ],
  };
}

type LiveIconName = 'live' | 'muted' | 'paused' | 'trouble';

function chooseIcon({ state, controls, devices }: TrayTalk): TrayIconName {
  switch (state.phase) {
    case 'idle':
      return 'ready';
    case 'ended':
      return state.ending.by === 'client' ? 'ready' : 'trouble';
    case 'connecting':
    case 'queued':
    case 'reconnecting':
    case 'ending':
      return 'waiting';
    case 'live':
      return liveIcon({ controls, devices });
  }
}

function liveIcon({ controls, devices }: Pick<TrayTalk, 'controls' | 'devices'>): LiveIconName {
  if (controls.paused) return 'paused';
  if (devices.microphone.kind === 'lost') return 'trouble';
  return isMuted(controls) || isTalkKeyUp(controls) ? 'muted' : 'live';
}

const isMuted = ({ muted, coughMuted }: TrayTalk['controls']): boolean => muted || coughMuted;

const isTalkKeyUp = ({ talking, passing }: TrayTalk['controls']): boolean =>
  talking !== 'open' && !passing;

function describeStatus(talk: TrayTalk, messages: CoreMessages['desktop']): string {
  const { state } = talk;
  switch (state.phase) {
    case 'ended':
      return messages.phases.ended;
    case 'queued':
      return state.position === undefined
        ? messages.phases.queued
        : `${messages.phases.queued} · ${fillMessage(messages.queuePosition, { position: state.position })}`;
    case 'live': {
      const icon = liveIcon(talk);
      return messages.liveStates[icon === 'muted' && !isMuted(talk.controls) ? 'keyUp' : icon];
    }
    case 'connecting':
    case 'reconnecting':
      return isOpen(talk.devices.microphone)
        ? `${messages.phases[state.phase]} · ${messages.microphoneOpen}`
        : messages.phases[state.phase];
    case 'idle':
    case 'ending':
      return messages.phases[state.phase];
  }
}

/** Describes a download by percent and minutes, so that the menu changes seldom. */
function describeFiles(
  files: ModelFilesState,
  { model }: CoreMessages['desktop'],
): readonly string[] {
  if (files.kind !== 'downloading' && files.kind !== 'paused' && files.kind !== 'verifying')
    return [];
  const percent = Math.floor((100 * files.bytes) / files.totalBytes);
  if (files.kind !== 'downloading' || files.secondsLeft === undefined)
    return [fillMessage(model[files.kind], { percent })];
  const minutes = Math.ceil(files.secondsLeft / 60);
  return [fillMessage(model.downloadingLeft, { percent, minutes })];
}

function fileItems(
  { kind }: ModelFilesState,
  { model }: CoreMessages['desktop'],
): readonly (readonly TrayItem[])[] {
  if (kind === 'downloading')
    return [[{ action: 'pauseModel', label: model.pause, enabled: true }]];
  if (kind === 'paused') return [[{ action: 'downloadModel', label: model.resume, enabled: true }]];
  return [];
}

function isOpen({ kind }: TrayTalk['devices']['microphone']): boolean {
  return kind === 'using' || kind === 'standsIn';
}

function startAndEndItems(
  state: TalkState,
  messages: CoreMessages['desktop'],
  start: string,
): readonly TrayItem[] {
  switch (state.phase) {
    case 'idle':
      return [{ action: 'start', label: start, enabled: true }];
    case 'ended':
      return [
        ...(state.offer === 'continue'
          ? [{ action: 'continue', label: messages.continue, enabled: true } as const]
          : []),
        { action: 'start', label: start, enabled: true },
      ];
    case 'connecting':
    case 'reconnecting':
      return [{ action: 'end', label: messages.cancel, enabled: true }];
    case 'queued':
      return [{ action: 'end', label: messages.leaveQueue, enabled: true }];
    case 'live':
    case 'ending':
      return [{ action: 'end', label: messages.end, enabled: state.phase === 'live' }];
  }
}

export type TrayChoice =
  | { readonly kind: 'microphone' | 'speaker'; readonly device: SoundChoice }
  | { readonly kind: 'mode'; readonly mode: PushToTalkMode }
  | { readonly kind: 'recent'; readonly id: string };

export interface TrayPicker {
  readonly kind: TrayChoice['kind'];
  readonly label: string;
  readonly emptyLabel: string;
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
  /** Newest first. */
  readonly chats: readonly ChatSummary[];
}

type Words = CoreMessages['desktop'];

/** The number of recent chats in the menu. The window's search finds older ones. */
const maxRecent = 8;
const maxTitle = 60;

/** The tray's submenus: devices, talking mode, recent conversations. */
export function trayPickers(choices: TrayChoices, words: Words): readonly TrayPicker[] {
  return [
    devicePicker('microphone', choices, words),
    devicePicker('speaker', choices, words),
    modePicker(choices.settings.talking.mode, words),
    recentPicker(choices.chats, words),
  ];
}

function devicePicker(
  kind: 'microphone' | 'speaker',
  { settings, devices }: TrayChoices,
  words: Words,
): TrayPicker {
  const choice = settings.audio[kind];
  const usable = devices.filter(({ inputChannels, outputChannels }) =>
    kind === 'microphone' ? inputChannels > 0 : outputChannels > 0,
  );
  const entry = (label: string, device: SoundChoice, chosen: boolean): TrayPickerEntry => ({
    label,
    chosen,
    choice: { kind, device },
  });
  const isChosen = ({ name, hostApi }: ListedDevice): boolean =>
    choice !== 'default' && choice.name === name && (choice.hostApi ?? hostApi) === hostApi;
  const chosenIndex = usable.findIndex(isChosen);
  const missing =
    choice !== 'default' && chosenIndex === -1
      ? [entry(fillMessage(words.deviceMissing, { name: choice.name }), choice, true)]
      : [];
  return {
    kind,
    label: words[kind],
    emptyLabel: words.noDevices,
    entries: [
      entry(words.systemDevice, 'default', choice === 'default'),
      ...usable.map(({ name, hostApi }, index) =>
        entry(soundChoiceName({ name, hostApi }, usable), { name, hostApi }, index === chosenIndex),
      ),
      ...missing,
    ],
  };
}

function modePicker(mode: PushToTalkMode, words: Words): TrayPicker {
  const modes = ['open', 'hold', 'tap', 'holdOrTap'] as const;
  return {
    kind: 'mode',
    label: words.talkingMode,
    emptyLabel: '',
    entries: modes.map((each) => ({
      label: words.talkingModes[each],
      chosen: each === mode,
      choice: { kind: 'mode', mode: each },
    })),
  };
}

function recentPicker(chats: readonly ChatSummary[], words: Words): TrayPicker {
  const newest = chats.toSorted((one, other) => other.updatedAt - one.updatedAt);
  return {
    kind: 'recent',
    label: words.recent,
    emptyLabel: words.noRecent,
    entries: newest.slice(0, maxRecent).map(({ id, title }) => ({
      label: shortTitle(title.trim() === '' ? words.untitled : title),
      choice: { kind: 'recent', id },
    })),
  };
}

/** Shortens a title at a grapheme boundary. */
function shortTitle(title: string): string {
  const line = title.replaceAll(/\s+/gu, ' ');
  if (line.length <= maxTitle) return line;
  const graphemes = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return graphemes.length > maxTitle ? `${graphemes.slice(0, maxTitle - 1).join('')}…` : line;
}
