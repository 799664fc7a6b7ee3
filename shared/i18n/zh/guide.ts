import type { PageMessages } from '../messages.ts';

export const chineseGuide: PageMessages['guide'] = {
  title: '使用指南',
  sections: '目录',
  search: '搜索指南',
  clear: '清除',
  nothing: '指南里没有这些词。',
};
