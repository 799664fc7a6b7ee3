import type { PageMessages } from '../messages.ts';

export const chineseShell: PageMessages['shell'] = {
  commands: '命令',
  appearance: '外观',
  theme: '主题',
  themes: { system: '跟随系统', light: '纸', dark: '墨' },
  language: '语言',
  systemLanguage: '跟随系统',
  captionSize: '字幕大小',
  captionSizes: { 28: '中', 38: '大', 50: '特大' },
  contrast: '未说出的字',
  contrasts: { normal: '浅', high: '深' },
  under: '{{what}}：{{which}}',
  find: '想做什么？',
  nothingFound: '没有这样的命令。',
  close: '关闭',
  dismiss: '知道了',
  connectionLost: '无法连接 Parley。如果它已停止，请重新启动并打开它打印的地址。',
};
