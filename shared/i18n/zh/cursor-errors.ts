import type { englishCursorErrors } from '../en/cursor-errors.ts';
import type { MessageTree } from '../messages.ts';

export const chineseCursorErrors: MessageTree<typeof englishCursorErrors> = {
  cursorElsewhere: '只有桌面版能在其他程序里使用。',
  cursorNoTalk: '现在没有能看画面的通话。请先开始一次带摄像头或屏幕的通话。',
  cursorActionGone: '这个操作已经不存在了。',
  cursorActionsUnread: '这不是操作文件。可以先导出一份看看格式。',
  cursorActionsMany: '操作会超过 {{most}} 个，请先删除几个。',
  cursorTargetGone: '原来的窗口已经关闭。文字已复制，可以粘贴到任何地方。',
  cursorTargetUnknown: 'Parley 无法在这个桌面上自动粘贴。文字已复制，请按 Ctrl+V 粘贴。',
  cursorKeysFailed: '原来的程序没有接收文字。文字已复制，请手动粘贴。',
  cursorKeysRefused: '桌面没有允许 Parley 按键。文字已复制，请按 Ctrl+V 粘贴。',
  cursorTextLong: '文字太长，无法自动放入。文字已复制，请手动粘贴。',
  cursorNothingSelected: '没有选中文字。请先选中或复制一段文字。',
};
