import type { TalkState } from '../../../shared/talk/talk-state.ts';
import type { TalkView } from '../../../shared/talk/talk-view.ts';
import { fillMessage } from '../../../shared/i18n/fill-message.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';

/** Which of the icons; each has its picture in `resources/tray`. */
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
  | 'showMain'
  | 'showMini'
  | 'quit';

export interface TrayItem {
  readonly action: TrayAction;
  readonly label: string;
  readonly enabled: boolean;
  /** Only of what is on or off. */
  readonly checked?: boolean;
}

export interface TrayModel {
  readonly icon: TrayIconName;
  /** How it stands, in a few words; also the first line of the menu, where tips are not shown. */
  readonly status: string;
  /** In groups, each of which has a line above it. */
  readonly menu: readonly (readonly TrayItem[])[];
}

export type TrayTalk = Pick<TalkView, 'state' | 'controls' | 'devices' | 'keeping'>;

/** What the tray shows of a talk. With `startsMuted` the next talk will begin muted. */
export function trayModel(
  talk: TrayTalk,
  messages: CoreMessages['desktop'],
  startsMuted = false,
): TrayModel {
  const { state, controls } = talk;
  const live = state.phase === 'live';
  return {
    icon: iconOf(talk),
    status: statusOf(talk, messages),
    menu: [
      [
        ...continueItems(state, messages, startsMuted ? messages.startMuted : messages.start),
        {
          action: 'talkKey',
          label: messages.talkKey,
          enabled: live && !controls.paused && controls.talking !== 'open',
          checked: live && controls.talking !== 'open' && controls.transmitting,
        },
        { action: 'interrupt', label: messages.interrupt, enabled: live && !controls.paused },
        controls.muted
          ? { action: 'unmute', label: messages.unmute, enabled: live }
          : { action: 'mute', label: messages.mute, enabled: live },
        controls.paused
          ? { action: 'resume', label: messages.resume, enabled: live }
          : { action: 'pause', label: messages.pause, enabled: live },
        // Only for who wants it, and after all others, which keep their places.
        ...(talk.keeping.recent === undefined
          ? []
          : [{ action: 'keepRecent', label: messages.keepRecent, enabled: live } as const]),
      ],
      [
        { action: 'showMain', label: messages.showMain, enabled: true },
        { action: 'showMini', label: messages.showMini, enabled: true },
      ],
      [{ action: 'quit', label: messages.quit, enabled: true }],
    ],
  };
}

type LiveIconName = 'live' | 'muted' | 'paused' | 'trouble';

function iconOf({ state, controls, devices }: TrayTalk): TrayIconName {
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
  return controls.muted || controls.coughMuted ? 'muted' : 'live';
}

function statusOf(talk: TrayTalk, messages: CoreMessages['desktop']): string {
  const { state } = talk;
  switch (state.phase) {
    case 'ended':
      return messages.phases.ended;
    case 'queued':
      return state.position === undefined
        ? messages.phases.queued
        : `${messages.phases.queued} · ${fillMessage(messages.queuePosition, { position: state.position })}`;
    case 'live':
      return messages.liveStates[liveIcon(talk)];
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

function isOpen({ kind }: TrayTalk['devices']['microphone']): boolean {
  return kind === 'using' || kind === 'standsIn';
}

/** How a talk is begun, given up or ended. */
function continueItems(
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
