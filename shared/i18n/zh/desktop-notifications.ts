import type { CoreMessages } from '../messages.ts';

export const chineseDesktopNotifications: CoreMessages['desktop']['notifications'] = {
  noAnswer: { title: '没有得到回答', body: '点这里查看原因，也可以再问一次。' },
  answer: { title: '回答写完了', body: '点这里阅读。' },
  turn: { title: '轮到你了', body: '排队排到了，通话已经接通。' },
  time: { title: '通话快结束了', body: '大约一分钟后到服务器的时限。' },
  context: { title: '通话快结束了', body: '大约一分钟后模型的记忆就满了。' },
  lost: { title: '通话中断了', body: '点这里查看原因和继续的办法。' },
  over: { title: '通话结束了', body: '点这里可以接着聊。' },
  keptInTray: {
    title: 'Parley 还在运行',
    body: '它留在托盘里，可以在那里退出。关闭时做什么，由“设置”里的“桌面”决定。',
  },
  noTray: {
    title: 'Parley 已最小化',
    body: '这个桌面不显示托盘。关闭时做什么，由“设置”里的“桌面”决定。',
  },
};
