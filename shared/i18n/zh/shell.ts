import type { PageMessages } from '../messages.ts';

export const chineseShell: PageMessages['shell'] = {
  commands: '命令',
  appearance: '外观',
  theme: '主题',
  themes: { system: '跟随系统', light: '浅色', dark: '深色' },
  language: '语言',
  systemLanguage: '跟随系统',
  captionSize: '字幕大小',
  captionSizes: { 28: '中', 38: '大', 50: '特大' },
  contrast: '未说出的字',
  contrasts: { normal: '浅', high: '深' },
  under: '{{what}}：{{which}}',
  find: '想做什么？',
  nothingFound: '无结果',
  close: '关闭',
  dismiss: '知道了',
  undo: {
    deleted: '已删除“{{title}}”。',
    taped: '已删除“{{title}}”及其录音。',
    several: '已删除 {{count}} 项。',
    severalTaped: '已删除 {{count}} 项及其录音。',
    message: '已删除这条消息。',
    removed: '已移除“{{title}}”。',
    undo: '撤销',
  },
  recovery: {
    pageCrashed: '这个窗口崩溃了，已重新打开。',
    pageHung: '这个窗口没有响应，已重新打开。',
    talkGoesOn: '通话一直在继续；按住的说话键已松开。',
    restarted: 'Parley 出现故障，已自行重新启动。日志里记录了出错原因。',
    safeStart:
      'Parley 之前未能启动完成，这次以安全方式启动：没有托盘图标，不使用显卡加速，使用系统默认的麦克风和扬声器，窗口回到初始位置。你的设置没有改动；退出后再次启动即可恢复全部功能。',
  },
  broken: {
    text: '窗口的这一部分出了故障，其他部分照常工作。',
    again: '重试',
    copy: '复制诊断信息',
    copyFailed: '无法复制。',
  },
  connectionLost: '无法连接 Parley。如果它已停止，请重新启动并打开它打印的地址。',
};
