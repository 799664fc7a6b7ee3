import type { CoreMessages } from '../messages.ts';

export const chineseDesktop: CoreMessages['desktop'] = {
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
  queuePosition: '第 {{position}} 位',
  start: '开始对话',
  continue: '接着刚才的继续',
  end: '结束',
  cancel: '取消',
  leaveQueue: '离开队列',
  interrupt: '打断',
  mute: '静音',
  unmute: '取消静音',
  talkKey: '对 Parley 说话',
  pageBroken: 'Parley 的窗口一再崩溃。',
  pageBrokenMore:
    '正在进行的对话已暂停，不再发送任何内容。请重试，或退出后重新启动 Parley；日志里记录了出错原因。',
  tryAgain: '重试',
  showMain: '显示 Parley',
  showMini: '迷你窗口',
  quit: '退出 Parley',
};
