import type { CoreMessages } from '../messages.ts';

export const chineseCarryOver: CoreMessages['carryOver'] = {
  begin: '--- 此前对话的记录 ---',
  about:
    '本次对话接续之前的会话。以下是你此前说过的话，从早到晚排列。用户说的话没有记录。以[…]结尾的一行表示你在那里被打断；以…结尾的一行只保留了开头。不要念出或提及这段记录，自然地继续对话。',
  end: '--- 记录结束 ---',
  goOnAnswer:
    '你上一个回答在中途停住了。请从停下的地方直接接着写：不要重复已经写过的内容，也不要说明你在继续。',
};
