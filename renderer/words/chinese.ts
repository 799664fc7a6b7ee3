import type { Words } from './words.ts';

export const chinese: Words = {
  language: 'zh-CN',
  tagline: '能说、能听、能看。',
  hosts: {
    desktop: '桌面窗口',
    browser: '浏览器',
    terminal: '终端',
  },
  runtimeHeading: '运行环境',
  partsHeading: '原生组件',
  host: '宿主',
  parts: { portaudio: '声音（PortAudio）', sharp: '图像（sharp）' },
  checking: '正在检查…',
  unknown: '未知',
  loads: '已加载',
  fails: '无法加载',
  checkAgain: '重新检查',
  connectionLost: '无法连接 Parley。如果它已停止，请重新启动并打开它打印的地址。',
};
