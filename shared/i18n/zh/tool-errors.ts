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
  toolServerAddress: '{{name}} 的地址必须以 https:// 开头。只有指向这台电脑的地址可以用 http://。',
  toolServerPlaceholder:
    '{{name}} 里有 ${…} 这样要填密钥的地方。请填好，再粘贴到上面的输入框里添加。',
  toolFileLink: '{{path}} 是指向别处的链接。请用“从文件导入”选择原来的文件。',
  toolFileLarge: '{{path}} 太大。请把里面的服务器粘贴在上面。',
  toolServerDenied: '你没有允许 {{name}}，所以没有添加。',
  toolServerGone: '这个服务器已经移除。',
  toolServerStopped: '{{name}} 已停止。请再试一次。',
  toolServerEnded: '{{name}} 自己退出了。请再试一次，或在终端里启动它看看原因。',
  toolServerSlow: '{{name}} 在 {{seconds}} 秒内没有回应，请再试一次。',
  toolServerFloods: '{{name}} 发来的内容太多，Parley 已将它结束。',
  toolServerFailed: '{{name}} 出错：{{error}}',
  toolProgramMissing: '找不到 {{name}} 的程序。请安装它，或写出完整路径。',
  toolGone: '{{name}} 已经没有 {{tool}} 了。请在“设置”的“工具”里查看。',
  toolChanged: '{{name}} 修改了 {{tool}}。请在“设置”的“工具”里看过后重新打开。',
  requestNoTools: '通话里没有可用的工具。请在“设置”的“工具”里打开。',
  requestIncognito: '无痕通话里不使用工具。请在聊天里问。',
  requestNoWords: '没有听到你刚才说话。请说出要做什么，或者写下来。',
  requestUnclear: '没听清你说的话。请再说一遍，或者写下来。',
  requestRunning: '上一个请求还没完成。请等它结束后再说。',
  requestOnComputer:
    '这台电脑上的模型现在不能边通话边用工具。显存够的话，请先在聊天里问一次，再开始通话。',
  requestNoPlace: '服务器没有多余的位置来同时处理请求。请稍后再试。',
  requestSlow: '这件事超过 {{seconds}} 秒还没完成，已经停止。请再试一次。',
  remindersMany: '已经有 {{most}} 个提醒。请先取消一个。',
  reminderGone: '没有这个提醒，可能已经提醒过了。',
};
