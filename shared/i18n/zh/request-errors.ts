import type { englishRequestErrors } from '../en/request-errors.ts';

export const chineseRequestErrors: Readonly<Record<keyof typeof englishRequestErrors, string>> = {
  // Why a request came to nothing before anybody looked at what it is about.
  disconnected: '暂时无法连接 Parley。',
  internalError: 'Parley 没能完成这个操作。这是 Parley 的错误，请反馈：{{error}}',
  notUnderstood: 'Parley 无法接受这个内容：其中有太长、太大或不允许的部分。',
  noWindows: '只有桌面应用有自己的窗口，这个页面只是一个标签页。',
  unknownRequest: 'Parley 没有名为“{{name}}”的请求，请重新加载页面。',
  notOurPage: 'Parley 只回应自己的窗口。',
  coreUnloaded: 'Parley 无法加载，请重新安装。',
  // Why something cannot be done with a talk now, or is missing of its tape.
  noTalk: '现在没有对话，请先开始。',
  talkStarting: '对话正在开始，请稍后再试。',
  talkStartingAlready: '已经在开始对话了。',
  talkGoingOn: '已经有对话在进行，请先结束它。',
  noEndedTalk: '这里没有结束了的对话。',
  shuttingDown: 'Parley 正在关闭。',
  talkHasSound: '对话正在使用麦克风和扬声器，请先结束它。',
  talkKeyAway: '按着说话键时键盘转到了别处，麦克风已关闭。要继续请再按一次。',
  talkKeyLost: '已无法得知说话键是否还按着，麦克风已关闭。要继续请再按一次。',
  talkKeyLocked: '按着说话键时屏幕锁定或电脑进入睡眠，麦克风已关闭。',
  talkKeyHeld: '说话键按住了 {{minutes}} 分钟，麦克风已关闭。要继续请再按一次。',
  globalKeyNoDesktop: '只有桌面应用能在其他程序里收到按键。',
  globalKeyNowhere:
    '这个系统不让程序在别的程序里收到按键，请在系统的键盘设置里把命令“parley ptt toggle”绑定到一个键。',
  globalKeyUnset: '还没有选按键，请选一个。',
  globalKeyEnded: '接收按键的部件连续 {{times}} 次意外结束，不再自动启动。',
  tapeGap: '这次对话有一部分没能录下来，磁盘满了吗？对话会继续，但录音有缺口。',
  tapeFailed: '这次对话无法录音，磁盘满了吗？对话会继续。',
  // Why a tape is not played again, or nothing can be done with the one that is.
  noReplay: '没有打开任何录制，请先打开一个。',
  replayTapeGone: '这份录制已经不在了。',
  replayOfChat: '这是文字对话的录制，请在终端用 “parley replay” 播放。',
  replayPathless: '这不能作为录制打开，请拖入它的文件夹或文件。',
  // Why something cannot be done in a written conversation, or is missing of it.
  chatGone: '这个对话已经不在了。',
  chatElsewhere: '刚才打开了另一个对话。请打开这个对话再发送一次。',
  mediaGone: '这张图片或这段声音已经不在了。',
  mediaLost: '这个对话里有图片或声音已经不在了。请移除那条消息，或者开始新的对话。',
  messageGone: '这条消息已经不在了。',
  questionGone: '这个回答对应的提问已经不在了。',
  beforeGone: '这里之前的内容已经不在了。',
  speechGone: '这个回答的语音已不再保留，请重新提问来收听。',
  noPlayer: '没有可以播放的扬声器。',
  answerComing: '回答还没结束，请等它结束或先停止它。',
  answerVoiceGone: '为回答选定的声音已经不在了，请另选一个。',
  nothingToSend: '还没有可发送的内容，请写点什么，或者附上图片或声音。',
  textLong: '这段文字太长：一条消息最多 1,000,000 个字符，请分开发送。',
  clipLong: '录音最长 {{most}} 秒。',
  tooMuch:
    '内容超出了模型的记忆：大约需要 {{tokens}} 个词元，只剩 {{most}} 个的空间。请少附一些，或者缩短系统消息或回答长度。',
  pictureMissing: '这个对话缺少一张图片。',
  soundMissing: '这个对话缺少一段声音。',
  chatDamaged: '有一个保存的对话已损坏，无法读取，已移到 {{path}}；其他对话都在。',
  deletionPostponed:
    '系统日期比 Parley 上次运行时晚了 {{days}} 天。如果日期没错，什么也不用做；在 Parley 再运行 {{wait}} 天之前，旧对话和录音都会保留。',
  chatsUnkept: 'Parley 运行期间你的对话不会丢失，但在问题解决之前不会被保存。',
  // Why the desktop app does not do what was asked of it outside its windows.
  linkUnknown: '没有打开这个链接：Parley 只接受建议开始对话的链接，这个链接里是别的内容。',
  linkPresetUnknown: '没有打开这个链接：它指定了 Parley 没有的角色。',
  autostartFailed: '无法把 Parley 设为开机启动：不能写入 {{path}}。',
  noTray: '这个桌面不显示托盘，所以 Parley 留在窗口列表里。关闭时做什么，由“设置”里的“桌面”决定。',
  // Why the embedded server cannot listen.
  portTaken: '{{host}} 上的端口 {{port}} 已被其他程序占用，请另选端口，或用 0 表示任意端口。',
  portForbidden: '没有足够的权限打开端口 {{port}}，请选择 1023 以上的端口。',
  noSuchLocalAddress: '这台电脑没有地址 {{host}}，不填主机即可只在本机监听。',
  cannotListen: '网关无法在 {{host}} 的端口 {{port}} 上监听。',
  // Why a command for the Parley that runs is not heard or not done.
  commandsPathLong: '无法接收命令：{{path}} 对套接字来说太长。',
  commandsUnheard: '无法在 {{path}} 接收命令。',
  commandUnknown: '正在运行的 Parley 不认识这个命令，请重新启动它。',
  microphoneOpen: '麦克风一直开着；要使用说话键，请选择另一种说话方式。',
};
