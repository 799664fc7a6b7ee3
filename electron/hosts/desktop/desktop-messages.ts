import type { TalkState } from '../../../shared/talk/talk-state.ts';

/** What the desktop says outside of any page. */
export interface DesktopMessages {
  readonly phases: Readonly<Record<Exclude<TalkState['phase'], 'live'>, string>>;
  readonly liveStates: Readonly<Record<'live' | 'muted' | 'paused' | 'trouble', string>>;
  readonly queuePosition: (position: number) => string;
  readonly start: string;
  readonly continue: string;
  readonly end: string;
  readonly cancel: string;
  readonly leaveQueue: string;
  readonly interrupt: string;
  readonly mute: string;
  readonly unmute: string;
  readonly showMain: string;
  readonly showMini: string;
  readonly quit: string;
}

export const desktopEnglish: DesktopMessages = {
  phases: {
    idle: 'Ready',
    connecting: 'Connecting',
    queued: 'Waiting in line',
    reconnecting: 'Reconnecting',
    ending: 'Ending',
    ended: 'The talk has ended',
  },
  liveStates: {
    live: 'Live',
    muted: 'Live, muted',
    paused: 'Paused',
    trouble: 'Live, no microphone',
  },
  queuePosition: (position) => `place ${position}`,
  start: 'Start talking',
  continue: 'Go on where we were',
  end: 'End',
  cancel: 'Cancel',
  leaveQueue: 'Leave the line',
  interrupt: 'Interrupt',
  mute: 'Mute',
  unmute: 'Unmute',
  showMain: 'Show Parley',
  showMini: 'Mini window',
  quit: 'Quit Parley',
};

export const desktopChinese: DesktopMessages = {
  phases: {
    idle: '就绪',
    connecting: '正在连接',
    queued: '排队中',
    reconnecting: '正在重连',
    ending: '正在结束',
    ended: '对话已结束',
  },
  liveStates: {
    live: '通话中',
    muted: '通话中，已静音',
    paused: '已暂停',
    trouble: '通话中，没有麦克风',
  },
  queuePosition: (position) => `第 ${position} 位`,
  start: '开始对话',
  continue: '接着刚才的继续',
  end: '结束',
  cancel: '取消',
  leaveQueue: '离开队列',
  interrupt: '打断',
  mute: '静音',
  unmute: '取消静音',
  showMain: '显示 Parley',
  showMini: '迷你窗口',
  quit: '退出 Parley',
};
