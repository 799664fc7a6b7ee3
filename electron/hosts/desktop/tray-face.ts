import type { TalkState } from '../../../shared/talk/talk-state.ts';
import type { TalkView } from '../../../shared/talk/talk-view.ts';
import type { DesktopWords } from './words.ts';

/** Which of the icons; each has its picture in `resources/tray`. */
export const traySigns = ['ready', 'live', 'muted', 'paused', 'waiting', 'trouble'] as const;
export type TraySign = (typeof traySigns)[number];

export type TrayDeed =
  'start' | 'goOn' | 'end' | 'interrupt' | 'mute' | 'unmute' | 'showMain' | 'showMini' | 'quit';

export interface TrayItem {
  readonly deed: TrayDeed;
  readonly label: string;
  readonly enabled: boolean;
}

export interface TrayFace {
  readonly sign: TraySign;
  /** How it stands, in a few words; also the first line of the menu, where tips are not shown. */
  readonly status: string;
  /** In groups, each of which has a line above it. */
  readonly menu: readonly (readonly TrayItem[])[];
}

export type TrayTalk = Pick<TalkView, 'state' | 'controls' | 'devices'>;

/** What the tray shows of a talk. */
export function trayFace(talk: TrayTalk, words: DesktopWords): TrayFace {
  const { state, controls } = talk;
  const live = state.phase === 'live';
  return {
    sign: signOf(talk),
    status: statusOf(talk, words),
    menu: [
      [
        ...wayOn(state, words),
        { deed: 'interrupt', label: words.interrupt, enabled: live && !controls.paused },
        controls.muted
          ? { deed: 'unmute', label: words.unmute, enabled: live }
          : { deed: 'mute', label: words.mute, enabled: live },
      ],
      [
        { deed: 'showMain', label: words.showMain, enabled: true },
        { deed: 'showMini', label: words.showMini, enabled: true },
      ],
      [{ deed: 'quit', label: words.quit, enabled: true }],
    ],
  };
}

type LiveSign = 'live' | 'muted' | 'paused' | 'trouble';

function signOf({ state, controls, devices }: TrayTalk): TraySign {
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
      return liveSign({ controls, devices });
  }
}

function liveSign({ controls, devices }: Pick<TrayTalk, 'controls' | 'devices'>): LiveSign {
  if (controls.paused) return 'paused';
  if (devices.microphone.kind === 'lost') return 'trouble';
  return controls.muted || controls.coughMuted ? 'muted' : 'live';
}

function statusOf(talk: TrayTalk, words: DesktopWords): string {
  const { state } = talk;
  switch (state.phase) {
    case 'ended':
      return words.phases.ended;
    case 'queued':
      return state.position === undefined
        ? words.phases.queued
        : `${words.phases.queued} · ${words.place(state.position)}`;
    case 'live':
      return words.lives[liveSign(talk)];
    case 'idle':
    case 'connecting':
    case 'reconnecting':
    case 'ending':
      return words.phases[state.phase];
  }
}

/** How a talk is begun, given up or ended. */
function wayOn(state: TalkState, words: DesktopWords): readonly TrayItem[] {
  switch (state.phase) {
    case 'idle':
      return [{ deed: 'start', label: words.start, enabled: true }];
    case 'ended':
      return [
        ...(state.offer === 'continue'
          ? [{ deed: 'goOn', label: words.goOn, enabled: true } as const]
          : []),
        { deed: 'start', label: words.start, enabled: true },
      ];
    case 'connecting':
    case 'reconnecting':
      return [{ deed: 'end', label: words.cancel, enabled: true }];
    case 'queued':
      return [{ deed: 'end', label: words.leaveQueue, enabled: true }];
    case 'live':
    case 'ending':
      return [{ deed: 'end', label: words.end, enabled: state.phase === 'live' }];
  }
}
