import type { CoreMessages } from '../messages.ts';
import { chineseDesktopMenu } from './desktop-menu.ts';
import { chineseDesktopNotifications } from './desktop-notifications.ts';

export const chineseDesktop: CoreMessages['desktop'] = {
  phases: {
    idle: '就绪',
    connecting: '正在连接',
    queued: '排队中',
    reconnecting: '正在重连',
    ending: '正在结束',
    ended: '通话已结束',
  },
  microphoneOpen: '麦克风已打开',
  liveStates: {
    live: '通话中',
    muted: '通话中，已静音',
    paused: '已暂停',
    trouble: '通话中，没有麦克风',
  },
  queuePosition: '第 {{position}} 位',
  start: '开始通话',
  startMuted: '静音开始通话',
  continue: '继续',
  end: '结束',
  cancel: '取消',
  leaveQueue: '退出排队',
  newServer: {
    question: '要使用服务器 {{server}} 吗？',
    detail:
      'Parley 以前没有用过这台服务器。与它通话时，你说的话、写的字和展示的画面都会发送过去。如果这个地址不是你刚刚亲自填写的，请选择“取消”。',
    use: '使用该服务器',
  },
  newProxy: {
    question: '要通过代理 {{server}} 连接服务器吗？',
    detail:
      'Parley 以前没有用过这个代理。它会知道你连接哪些服务器；不使用 TLS（ws://）时，还能看到发送的全部内容。如果这个地址不是你刚刚亲自填写的，请选择“取消”。',
    use: '使用该代理',
  },
  interrupt: '打断',
  mute: '静音',
  unmute: '取消静音',
  shortcutName: '对 Parley 说话',
  configUnwritable:
    'Parley 无法打开：没有权限写入 {{folder}}。请把这个文件夹的所有者改为你自己，再重新启动 Parley。',
  sandboxNotForRoot:
    '不能以 root 身份打开 Parley 的窗口：Linux 不为 root 提供隔离页面的沙盒。请以普通用户身份启动 Parley。',
  sandboxRefused:
    'Parley 无法打开：此系统不允许它使用沙盒。请安装适用于此系统的 Parley 安装包，或允许用户命名空间（方法见使用指南），然后重新启动。',
  pageBroken: 'Parley 的窗口一再崩溃。',
  pageBrokenMore:
    '正在进行的通话已暂停，不再发送任何内容。请重试，或退出后重新启动 Parley；日志里记录了出错原因。',
  tryAgain: '重试',
  talkKey: '按键说话',
  keepRecent: '留下最近两分钟',
  pause: '暂停',
  resume: '继续',
  microphone: '麦克风',
  speaker: '扬声器',
  systemDevice: '跟随系统',
  deviceMissing: '{{name}}（未连接）',
  noDevices: '列不出设备',
  talkingMode: '说话方式',
  talkingModes: {
    open: '麦克风常开',
    hold: '按住键时',
    tap: '按一下开，再按一下关',
    holdOrTap: '按住或点按',
  },
  recent: '最近的聊天',
  noRecent: '还没有',
  untitled: '无标题',
  notifications: chineseDesktopNotifications,
  appMenu: chineseDesktopMenu,
  showMain: '显示 Parley',
  showMini: '迷你窗口',
  quit: '退出 Parley',
};
