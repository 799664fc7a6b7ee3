import type { englishToolErrors } from '../en/tool-errors.ts';
import type { MessageTree } from '../messages.ts';

export const chineseToolErrors: MessageTree<typeof englishToolErrors> = {
  toolCallGone: '这个请求已经结束。如果还需要，请再问一次。',
  toolPathOutside: '你还没有共享 {{path}}。请在“设置”的“工具”里共享。',
  toolNotText: '{{path}} 不是文本文件。Parley 只能读文本。',
  toolPlacesMany: '已经共享了 {{most}} 个位置。请先取消一个。',
  toolNoDialog: '只有桌面应用能共享文件。请在桌面应用里操作。',
  remindersMany: '已经有 {{most}} 个提醒。请先取消一个。',
  reminderGone: '没有这个提醒，可能已经提醒过了。',
};
