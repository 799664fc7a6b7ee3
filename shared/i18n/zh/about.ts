import type { PageMessages } from '../messages.ts';

export const chineseAbout: PageMessages['about'] = {
  technical: '技术信息',
  runtimeHeading: '运行环境',
  partsHeading: '原生组件',
  host: '宿主',
  hosts: { desktop: '桌面窗口', browser: '浏览器', terminal: '终端' },
  parts: { portaudio: '声音（PortAudio）', sharp: '图像（sharp）' },
  states: { checking: '正在检查…', unknown: '未知', loads: '已加载', fails: '无法加载' },
  checkAgain: '重新检查',
};
