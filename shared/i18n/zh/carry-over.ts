import type { CoreMessages } from '../messages.ts';

export const chineseCarryOver: CoreMessages['carryOver'] = {
  begin: '--- 此前对话的记录 ---',
  about:
    '本次对话接续之前的会话。以下是你此前说过的话，从早到晚排列。用户说的话没有记录。以[…]结尾的一行表示你在那里被打断。不要念出或提及这段记录，自然地继续对话。',
  end: '--- 记录结束 ---',
};
