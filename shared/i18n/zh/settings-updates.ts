import type { PageMessages } from '../messages.ts';

export const chineseSettingsUpdates: PageMessages['settings']['updates'] = {
  heading: '更新',
  bySystem: '更新由系统的软件包管理器提供。',
  byHand: 'Parley {{version}} 已发布，请到你获取当前版本的地方下载。',
  steps: {
    checking: '正在检查更新…',
    newest: '已是最新版本。',
    later: 'Parley {{version}} 正在分批推送，不久后会在这里提供。',
    offered: '可以更新到 Parley {{version}} 了。',
    fetching: '正在下载 Parley {{version}}：{{percent}}%',
    waiting: '通话结束后会下载 Parley {{version}}。',
    preparing: '正在准备 Parley {{version}}…',
    ready: 'Parley {{version}} 已准备好，下次打开时生效。',
  },
  whatIsNew: '{{version}} 的新内容',
  check: '检查更新',
  fetch: '下载',
  restart: '立即重启',
  goBack: '退回 {{version}}',
  restarts: 'Parley 会关闭并重新打开，设置和通话记录都会保留。',
  afterTalk: '通话结束后才能重启 Parley。',
  show: '查看',
  choices: { auto: '自动', tell: '提醒我', off: '关闭' },
};
