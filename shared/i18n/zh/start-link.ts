import type { PageMessages } from '../messages.ts';

export const chineseStartLink: PageMessages['startLink'] = {
  question: '开始通话吗？',
  why: '另一个程序里打开的链接建议开始通话。现在什么都还没有开始。',
  preset: '角色',
  server: '服务器',
  busy: '已经有通话在进行：请先结束它，再打开这个链接。',
  start: '开始通话',
  no: '先不要',
  refused: '没有打开链接',
  close: '关闭',
};
