import type { englishCursorErrors } from '../en/cursor-errors.ts';
import type { MessageTree } from '../messages.ts';

export const chineseCursorErrors: MessageTree<typeof englishCursorErrors> = {
  cursorElsewhere: '只有桌面版能在其他程序里使用。',
  cursorNoTalk: '现在没有能看画面的通话。请先开始一次带摄像头或屏幕的通话。',
  cursorActionGone: '这个操作已经不存在了。',
  cursorActionsUnread: '这不是操作文件。可以先导出一份看看格式。',
  cursorActionsMany: '操作会超过 {{most}} 个，请先删除几个。',
  cursorNothingSelected: '没有选中文字。请先选中或复制一段文字。',
};
