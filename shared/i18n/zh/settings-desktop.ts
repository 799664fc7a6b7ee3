import type { PageMessages } from '../messages.ts';

export const chineseSettingsDesktop: PageMessages['settings']['rows']['desktop'] = {
  closing: {
    name: '关闭最后一个窗口时',
    hint: '默认：有托盘时留在托盘，否则退出。在没有托盘的系统上选择继续运行，窗口会最小化。',
    also: '关闭 退出 托盘 后台 最小化',
  },
  autostart: {
    name: '开机时启动',
    hint: '登录后待在托盘里，不显示窗口。你开始通话之前不会打开麦克风。',
    also: '开机启动 开机自启 自启动 登录 启动项',
  },
  links: {
    name: '用 Parley 打开 parley:// 链接',
    hint: '链接只会提议一次通话，要由你确认。用系统安装包安装时可能已经设好。',
    also: '链接 网址 协议 默认程序 浏览器',
  },
  updates: {
    name: '更新',
    hint: '自动：不在通话时下载，下次打开 Parley 时生效。',
    also: '更新 升级 自动 下载 检查更新',
  },
  trayClick: {
    name: '单击托盘图标',
    hint: '右键打开菜单。有些面板左右键都会打开菜单。',
    also: '托盘 图标 左键 通知区域 菜单栏',
  },
  trayDoubleClick: {
    name: '双击托盘图标',
    hint: '设置双击后，单击会稍有延迟。',
    also: '托盘 图标 双击',
  },
  trayPanel: {
    name: '图标后面的面板',
    hint: '系统没有说明面板的深浅时，图标使用两种底色上都看得清的颜色。',
    also: '托盘 图标 深色 浅色 任务栏',
  },
  notifyAnswer: {
    name: '回答写完时通知',
    hint: '你在用别的程序时，文字回答结束了。',
    also: '通知 提醒 横幅 回答 聊天',
  },
  notifyTurn: {
    name: '轮到你时通知',
    hint: '排队排到了。',
    also: '通知 提醒 横幅 排队',
  },
  notifyLimit: {
    name: '通话快结束时通知',
    hint: '离服务器的时限或模型的记忆用完还有一分钟。',
    also: '通知 提醒 横幅 时限 上下文',
  },
  notifyLost: {
    name: '通话中断时通知',
    hint: '被服务器或网络结束了。',
    also: '通知 提醒 横幅 断线 错误',
  },
};
