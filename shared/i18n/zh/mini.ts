import type { PageMessages } from '../messages.ts';

export const chineseMini: PageMessages['mini'] = {
  title: '迷你窗口',
  open: '迷你窗口',
  expand: '打开大窗口',
  close: '关闭',
  closeLast: '结束并关闭 Parley',
  standsIn: '通话在这里继续。关闭这个窗口，通话也会结束。',
  standsInKept: '通话在这里继续；关掉这个窗口，通话也不会结束。',
  understood: '明白了',
  place: '排在第 {{position}} 位',
};
