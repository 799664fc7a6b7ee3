import type { englishToolErrors } from '../en/tool-errors.ts';
import type { MessageTree } from '../messages.ts';

export const chineseToolErrors: MessageTree<typeof englishToolErrors> = {
  toolCallGone: '这个请求已经结束。如果还需要，请再问一次。',
  toolPathOutside: '你还没有共享 {{path}}。请在“设置”的“工具”里共享。',
  toolNotText: '{{path}} 不是文本文件。Parley 只能读文本。',
  toolPlacesMany: '已经共享了 {{most}} 个位置。请先取消一个。',
  toolNoDialog: '只有桌面应用能共享文件。请在桌面应用里操作。',
  toolServersUnread: '没有找到服务器配置。请粘贴带“mcpServers”的 JSON，格式与其他助手使用的相同。',
  toolServersMany: '最多只能添加 {{most}} 个服务器。请先移除几个。',
  toolServerUnread: '服务器 {{name}} 的内容不完整，需要“command”或“url”。',
  toolServerAddress: '{{name}} 的地址必须以 https:// 开头。只有本机可以用 http://。',
  toolServerDenied: '你没有允许 {{name}}，所以没有添加。',
  toolServerGone: '这个服务器已经移除。',
  toolServerStopped: '{{name}} 已停止，请再试一次。',
  toolServerEnded: '{{name}} 自己退出了。请再试一次，或在终端里启动它看看原因。',
  toolServerSlow: '{{name}} 在 {{seconds}} 秒内没有回应，请再试一次。',
  toolServerFloods: '{{name}} 发来的内容太多，Parley 已将它结束。',
  toolServerFailed: '{{name}} 出错：{{error}}',
  toolProgramMissing: '找不到 {{name}} 的程序。请安装它，或写出完整路径。',
  toolGone: '{{name}} 已经没有 {{tool}} 了。请在“设置”的“工具”里查看。',
  toolChanged: '{{name}} 修改了 {{tool}}。请在“设置”的“工具”里看过后重新打开。',
  remindersMany: '已经有 {{most}} 个提醒。请先取消一个。',
  reminderGone: '没有这个提醒，可能已经提醒过了。',
};
