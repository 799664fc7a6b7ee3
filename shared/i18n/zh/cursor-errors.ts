import type { englishCursorErrors } from '../en/cursor-errors.ts';
import type { MessageTree } from '../messages.ts';

export const chineseCursorErrors: MessageTree<typeof englishCursorErrors> = {
  cursorElsewhere: '只有桌面版能在其他程序里使用。',
  cursorActionGone: '这个操作已经不存在了。',
  cursorNothingSelected: '没有选中文字。请先选中或复制一段文字。',
};
