import type { englishCursorErrors } from '../en/cursor-errors.ts';
import type { MessageTree } from '../messages.ts';

export const chineseCursorErrors: MessageTree<typeof englishCursorErrors> = {
  cursorElsewhere: '只有桌面应用支持在其他程序里使用 Parley。',
  cursorNoTalk: '当前没有带画面的通话。请先开始视频通话或屏幕共享通话。',
  cursorRegionGone: '屏幕截图已不存在。请重新截取。',
  cursorActionGone: '这个操作已经不存在了。',
  cursorActionsUnread: '这个文件里没有可导入的操作。可以先导出一份，看看格式。',
  cursorActionsMany: '最多只能有 {{most}} 个操作。请先删除几个。',
  cursorTargetGone: '原来的窗口已经关闭。文字已复制，可以粘贴到任何地方。',
  cursorTargetUnknown: 'Parley 无法在这个桌面环境里自动粘贴。文字已复制，请按 Ctrl + V 粘贴。',
  cursorKeysFailed: '文字没能插入原来的程序。文字已复制，请手动粘贴。',
  cursorKeysRefused: '桌面环境不允许 Parley 模拟按键。文字已复制，请按 Ctrl + V 粘贴。',
  cursorTextLong: '文字太长，无法自动插入。文字已复制，请手动粘贴。',
  cursorNothingSelected: '没有选中文字。请先选中或复制一段文字。',
};
