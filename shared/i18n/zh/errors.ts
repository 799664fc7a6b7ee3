import type { ErrorTable } from '../../errors/app-error.ts';
import type {
  englishDeviceErrors,
  englishGlobalKeyErrors,
  englishRequestErrors,
} from '../en/errors.ts';
import { chineseProxyErrors, chineseSessionErrors } from './session-errors.ts';
import {
  chineseHistoryErrors,
  chineseStorageErrors,
  chineseUpdateErrors,
} from './storage-errors.ts';

const chineseDeviceErrors: Readonly<Record<keyof typeof englishDeviceErrors, string>> = {
  // Why a sound device is not there.
  noMicrophone: '这台电脑没有麦克风，请连接一个。',
  noSpeaker: '这台电脑没有扬声器，请连接一个。',
  soundServerGone: '声音系统里一个设备也没有：它的服务可能停了。请重新启动它；Parley 会继续尝试。',
  noSoundDevices: '这台电脑没有声音设备，请连接设备，或者启动声音服务。',
  deviceMissing: '没有名为“{{device}}”的设备，现有：{{known}}。请连接它，或者另选一个。',
  noDeviceCalled: '没有名为“{{device}}”的设备，也没有连接任何设备。请连接一个。',
  deviceSilent: '“{{device}}”没有响应。请另选一个设备，或者稍等。',
  deviceTaken: '“{{device}}”被其他程序占用，或者已经不在。请关闭那个程序，或者另选设备。',
  deviceBroken: '“{{device}}”无法打开，请另选一个设备。',
  noSound: '这里无法使用声音，请重新安装 Parley。',
  soundHangs: '声音系统没有响应。请重启它，或者稍等；Parley 会继续尝试。',
  soundCrashes:
    '无法查询这台电脑的声音系统：程序一查询就会崩溃。请用拥有声音服务的账户启动 Parley；在此之前，除声音外一切照常。',
  // Why microphone or speaker are not had outside a talk.
  soundNeededElsewhere: '还没开始就停止了，因为麦克风或扬声器要用于别处。',
  testStopped: '测试已停止：声音设备要用于别处。',
  ownSoundGone: '这段录音已经没有了，请重新录。',
  testNothing: '没有收到声音：扬声器可能关着或音量太小，或者麦克风静音或离得太远。',
  speakerNeeded: '扬声器正用于别处，请先结束通话或停止录音。',
  nothingRecorded: '没有录到任何声音。',
  notRecording: '现在没有在录音。',
  takeStopped: '麦克风被别处占用，或无法连接 Parley，录音已放弃。',
  // Why a file is no sound or picture that can be taken.
  emptyFile: '这个文件是空的。',
  notWav: '这不是 WAV 文件。',
  wavUnclear: '这个 WAV 文件没有说明声音的编码方式。',
  wavEmpty: '这个 WAV 文件里没有声音。',
  wavCoded: '这个 WAV 文件的编码是 {{coding}}，请转换为普通的 PCM 或浮点采样。',
  wavBroken: '这个 WAV 文件已损坏，无法读取。',
  wavRate: '这个 WAV 文件写着每秒 {{rate}} 个采样，这不可能。',
  soundLong: '这个 WAV 文件有 {{seconds}} 秒，最多只能有 {{most}} 秒。',
  otherSound: '这是另一种声音文件（{{kind}}）。Parley 只接受 WAV 声音文件，请先转换。',
  emptyPicture: '这张图片是空文件。',
  notPicture: '这不是图片，请提供 JPEG、PNG 或 WebP 文件。',
  picturePdf: '这是 PDF，不是图片，请提供 JPEG、PNG 或 WebP 文件。',
  pictureSvg: '这是 SVG 图形，请提供 JPEG、PNG 或 WebP 文件。',
  otherPicture: '这是 {{kind}} 图片。Parley 只接受 JPEG、PNG 和 WebP 文件，请先转换。',
  pictureBroken: '这张图片已损坏，无法解码。',
  pictureLarge: '这张图片太大：有 {{width}} × {{height}} 像素，最多 5000 万像素。',
  pictureMoves: '这是动图，模型只看到第一帧。',
  pictureSlow: '读取这张图片太久，请提供小一些的图片。',
  picturesStopped: '读取图片连续失败，暂时无法读取图片，请一分钟后再试。',
  noPictures: '这里无法读取图片，请重新安装 Parley（{{error}}）。',
  pictureHeavy: '{{name}} 太大：图片最多 {{most}} MB，这个文件有 {{size}} MB。',
  soundHeavy: '{{name}} 太大：声音最多 {{most}} MB，这个文件有 {{size}} MB。',
  frameBroken: '这一帧已损坏，无法解码。',
  frameNotJpeg: '这一帧不是 JPEG。',
  frameHeavy: '这一帧太大：有 {{size}} 字节，最多 {{most}} 字节。',
  frameLarge: '这一帧太大：有 {{width}} × {{height}} 像素。',
  screenUnasked: '只有在你主动要求时，Parley 才会列出屏幕和窗口，请重新选择要展示的内容。',
  screenForbidden: '系统不允许 Parley 查看屏幕，请在系统设置中允许。',
  // Why a reference voice cannot be made, named or used.
  voiceStandsIn: '这次通话使用服务器自己的声音；请在设置里另选一个声音。',
  voiceGone: '这个声音已经不在了。',
  voiceUnheard: '里面听不到人声，请检查麦克风，并靠近一些说话。',
  voiceShort: '里面只有 {{seconds}} 秒人声，一个声音至少需要 {{least}} 秒。',
  voiceNameless: '声音需要一个名称。',
  voiceNameLong: '声音的名称最多 {{most}} 个字符。',
  voiceNameHidden: '名称里有无法显示的字符。',
  voiceNameTaken: '已经有一个叫“{{name}}”的声音了。',
};

const chineseGlobalKeyErrors: Readonly<Record<keyof typeof englishGlobalKeyErrors, string>> = {
  globalKeyUnknown: '这个按键在其他程序里接收不到，请另选一个。',
  globalKeyTaken: '这个按键已被其他程序占用，请另选一个，或者在那个程序里取消它。',
  globalKeyAlone:
    '选了这个按键，其他程序就收不到它了。请与 Ctrl 或 Alt 组合使用，或者选择 F1 到 F24。',
  globalKeyForbidden: '系统不允许 Parley 接收其他程序里的按键，请在系统设置的“辅助功能”中允许。',
  globalKeyHelperFailed:
    'Parley 中负责接收其他程序里按键的部分无法启动，请改为在系统的键盘设置里把按键绑定到“parley ptt toggle”。',
  globalKeyPortalMissing:
    '这个桌面不向程序提供全局按键，请在桌面的键盘设置里把按键绑定到“parley ptt toggle”。',
  globalKeyPortalRefused:
    '桌面没有把这个按键交给 Parley，请在它询问时允许，或在它的键盘设置里允许。',
};

const chineseRequestErrors: Readonly<Record<keyof typeof englishRequestErrors, string>> = {
  // Why a request came to nothing before anybody looked at what it is about.
  disconnected: '暂时无法连接 Parley。',
  internalError: 'Parley 没能完成这个操作。这是 Parley 的错误，请反馈：{{error}}',
  notUnderstood: 'Parley 无法接受这个内容：其中有太长、太大或不允许的部分。',
  noWindows: '只有桌面应用有自己的窗口，这个页面只是一个标签页。',
  unknownRequest: 'Parley 没有名为“{{name}}”的请求，请重新加载页面。',
  notOurPage: 'Parley 只回应自己的窗口。',
  coreUnloaded: 'Parley 无法加载，请重新安装。',
  // Why something cannot be done with a talk now, or is missing of its tape.
  noTalk: '现在没有通话，请先开始。',
  talkStarting: '通话正在开始，请稍后再试。',
  talkStartingAlready: '已经在开始通话了。',
  talkGoingOn: '已经有通话在进行，请先结束它。',
  noEndedTalk: '这里没有结束了的通话。',
  shuttingDown: 'Parley 正在关闭。',
  talkHasSound: '通话正在使用麦克风和扬声器，请先结束它。',
  talkKeyAway: '按着说话键时键盘转到了别处，麦克风已关闭。要继续请再按一次。',
  talkKeyLost: '已无法得知说话键是否还按着，麦克风已关闭。要继续请再按一次。',
  talkKeyLocked: '按着说话键时屏幕锁定或电脑进入睡眠，麦克风已关闭。',
  talkKeyHeld: '说话键按住了 {{minutes}} 分钟，麦克风已关闭。要继续请再按一次。',
  globalKeyNoDesktop: '只有桌面应用能在其他程序里收到按键。',
  globalKeyNowhere:
    '这个系统不让程序在别的程序里收到按键，请在系统的键盘设置里把命令“parley ptt toggle”绑定到一个键。',
  globalKeyUnset: '还没有选按键，请选一个。',
  globalKeyEnded: '接收按键的部件连续 {{times}} 次意外结束，不再自动启动。',
  tapeGap: '这次通话有一部分没能录下来，磁盘满了吗？通话会继续，但录音有缺口。',
  tapeFailed: '这次通话无法录音，磁盘满了吗？通话会继续。',
  // Why a tape is not played again, or nothing can be done with the one that is.
  noReplay: '没有打开任何录音，请先打开一个。',
  replayTapeGone: '这份录音已经不在了。',
  replayOfChat: '这是聊天的录音，请在终端用 “parley replay” 播放。',
  replayPathless: '这不能作为录音打开，请拖入它的文件夹或文件。',
  comparedKinds: '通话不能与聊天比较。',
  rerunOfNothing: '这段录音里没有说过或问过任何内容，没有可以重新发送的东西。',
  rerunGoesOn: '已经有一段录音正在发送给服务器，请等它结束或先停止它。',
  rerunStopped: '在结束之前就停止了。',
  tapeLost: '存放这次录音的文件夹不见了，之前的内容不在录音里。通话会继续。',
  tapeLowSpace: '磁盘只剩 {{megabytes}} MB，不够录十分钟，请腾出一些空间。',
  // Why something cannot be done in a written conversation, or is missing of it.
  chatGone: '这个聊天已经不在了。',
  chatElsewhere: '刚才打开了另一个聊天。请打开这个聊天再发送一次。',
  mediaGone: '这张图片或这段声音已经不在了。',
  mediaLost: '这个聊天里有图片或声音已经不在了。请删除那条消息，或者新建聊天。',
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
  pictureMissing: '这个聊天缺少一张图片。',
  soundMissing: '这个聊天缺少一段声音。',
  chatDamaged: '有一个保存的聊天已损坏，已移到 {{path}}；其他聊天都在。',
  deletionPostponed:
    '系统日期比 Parley 上次运行时晚了 {{days}} 天。如果日期没错，什么也不用做；在 Parley 再运行 {{wait}} 天之前，旧聊天和录音都会保留。',
  chatsUnkept: 'Parley 运行期间你的聊天不会丢失，但在问题解决之前不会被保存。',
  // Why the desktop app does not do what was asked of it outside its windows.
  linkUnknown: '没有打开这个链接：Parley 只接受发起通话的链接。',
  linkPresetUnknown: '没有打开这个链接：它指定了 Parley 没有的角色。',
  autostartFailed: '无法把 Parley 设为开机启动：不能写入 {{path}}。',
  linksFailed: '无法让 Parley 打开它的链接：不能写入 {{path}}。',
  linksNotHere: '只有桌面应用能让系统用它打开链接。',
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

/** What goes wrong, said to a person: the only place of these sentences. */
export const chineseErrors: ErrorTable = {
  said: '服务器说明：{{said}}',
  andThen: '{{first}}{{next}}',
  codes: {
    ...chineseSessionErrors,
    ...chineseProxyErrors,
    ...chineseDeviceErrors,
    ...chineseGlobalKeyErrors,
    ...chineseUpdateErrors,
    ...chineseStorageErrors,
    ...chineseHistoryErrors,
    ...chineseRequestErrors,
  },
};
