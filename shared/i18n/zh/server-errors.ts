import type { englishServerErrors } from '../en/server-errors.ts';
import type { MessageTree } from '../messages.ts';

export const chineseServerErrors: MessageTree<typeof englishServerErrors> = {
  // Connection failures, and ends of tapes.
  noSuchServer: '没有名为 {{server}} 的服务器。请检查地址。',
  noName: '暂时查不到 {{server}} 的地址。请检查这台电脑的网络。',
  nothingListens: '{{server}} 上没有程序在监听。请确认服务器已启动。',
  hungUp: '{{server}} 还没响应就断开了连接。请检查地址，以及是否需要 wss://。',
  noAnswer: '{{server}} 没有响应。请检查地址，或稍后再试。',
  noRoute: '从当前网络无法连接 {{server}}。',
  noConnection: '无法连接 {{server}}。请检查地址和网络。',
  badAddress: '这个地址无法连接。',
  notHttp: '{{server}} 没有按 HTTP 协议响应。请检查地址，以及是否需要 wss://。',
  notTls: '{{server}} 在这个端口上不使用 TLS。请尝试把地址开头的 wss:// 改为 ws://。',
  notWebSocket: '{{server}} 有响应，但不是实时语音服务器。请检查地址。',
  connectionGivenUp: '连接还没建立就取消了。',
  handshakeSlow: '{{server}} 没有响应：{{seconds}} 秒内没有建立连接。',
  recordedFailure: '录制时连接失败：{{problem}}',
  tapeEnded: '录制文件里没有更多的连接记录了。',
  tapeEndsInSentence: '录制到第 {{seconds}} 秒为止，停在一句话的中间。',
  tapeEndsEarly: '录制到第 {{seconds}} 秒为止，那时通话还没结束。',
  // Sessions; the error's `detail` has the server's own message.
  endedByPerson: '你结束了会话。',
  answerDone: '你结束了聊天。',
  timeLimitReached: '本次会话已达到时间上限。开始新的会话就能继续。',
  memoryFull: '本次会话的上下文已满。开始新的会话就能继续。',
  modelFailed: '服务器上的模型出错了。请重试；如果仍有问题，请联系服务器管理员。',
  serverLeaving: '服务器即将停止。请过几分钟再试。',
  serverGaveUp: '服务器遇到无法恢复的错误，结束了会话。请重试。',
  serverSaysUserStop: '服务器以为你要结束，已经结束了本次会话。如果你没有要求结束，请重试。',
  serverSaysStopped: '服务器以为你要结束，已经结束了本次会话。如果你没有要求结束，请重试。',
  serverSaysClientClosed: '服务器以为你要结束，已经结束了本次会话。如果你没有要求结束，请重试。',
  queueFull: '服务器的排队人数已满。请过几分钟再试。',
  workersBusy: '服务器繁忙。请稍后再试。',
  serverNotReady: '服务器还没有准备好。请一分钟后再试。',
  workerUnreachable: '服务器暂时无法连接它的工作进程。请稍后再试。',
  sessionFailed: '服务器无法建立或保持会话。请重试；如果仍有问题，请联系服务器管理员。',
  sessionCut: '你中断了会话。',
  speechLost: '连接中断了一会儿，你说的话有 {{seconds}} 秒没有发出去。请再说一遍。',
  talkCutByCrash: 'Parley 意外退出了；{{time}} 之前的通话还在。',
  lostInSleep: '电脑睡眠期间，连接断开了。如果 Parley 没有自动重新连接，请重试。',
  connectionLost: '连接断开了。请检查网络，然后重试。',
  closedSilently: '服务器关闭了连接，没有说明原因。请重试。',
  closedWithCode: '连接关闭了（代码 {{code}}）。请重试。',
  serverFailed: '服务器出错了。请重试。',
  serverCannotRead: '服务器读不懂 Parley 发送的内容，问题出在 Parley 或服务器上。请报告这个问题。',
  notAllowed: '服务器不允许这样做。请检查这台服务器的访问令牌。',
  messageTooLarge:
    '有一条消息太大，服务器无法接收。请发送较小的图片、较短的声音，或在“设置”的“助手”里把“每段长度”调短。',
  serverMessageTooLarge:
    '服务器发来的一条消息超过了 {{megabytes}} MB，Parley 已结束本次会话。请联系服务器管理员。',
  answerTooLong:
    '服务器一次发来了超过 {{letters}} 个字符，这不可能是正常的回答，Parley 已结束本次会话。请重试；如果仍有问题，请联系服务器管理员。',
  soundTooLong:
    '服务器一次发来了超过 {{minutes}} 分钟的语音，Parley 已结束本次会话。请重试；如果仍有问题，请联系服务器管理员。',
  troublesWithoutEnd: '服务器接连不断地报告错误，Parley 已结束本次会话。请联系服务器管理员。',
  serverSilent: '服务器接受了连接，却一直没有响应。请确认地址指向实时语音服务器。',
  sessionNotCreated: '服务器接受了连接，却没有建立会话。请一分钟后再试。',
  serverStalled: '服务器不再响应。请重试。',
  unreachable: '无法连接服务器。请检查地址和网络。',
  noChatInLegacy:
    '服务器没有开启聊天。使用旧版协议的服务器往往没有聊天功能：可以与它通话，或为聊天选择其他服务器；如果它支持统一版协议，请在设置中指定。',
  settingsRefused: '服务器不接受本次会话的设置（{{reason}}）。请检查指令、音色和协议。',
  fieldRefused: '服务器不接受附加字段“{{field}}”（{{reason}}）。请不要再向这台服务器发送这个字段。',
  serverEnded: '服务器结束了会话（{{reason}}）。请重试；如果仍有问题，请联系服务器管理员。',
  serverReports: '服务器报告了一个错误（{{reason}}），会话仍在继续。',
  notChat: '这是语音会话。要打字，请打开“聊天”。',
  eventUnreadable: '服务器发来了 Parley 读不懂的内容，会话仍在继续。',
  refusedUnknown: '服务器需要确认你的身份（{{status}}）。请检查这台服务器的访问令牌。',
  refusedForbidden:
    '服务器拒绝访问（{{status}}）。请检查访问令牌，并确认服务器支持这种通话或聊天。',
  refusedNotFound: '这个地址上没有实时语音服务器（{{status}}）。请检查地址。',
  refusedTooOften: '你向服务器发出的请求太多了（{{status}}）。请等一分钟再试。',
  refusedForNow: '服务器现在无法接受连接（{{status}}）。请一分钟后再试。',
  refusedByWeb: '这个地址上是 Web 服务器，不是实时语音服务器（{{status}}）。请检查端口和路径。',
  refusedOtherwise: '服务器拒绝了连接（{{status}}）。请检查这台服务器的地址。',
  otherDialectHint: '它可能使用另一种协议。请让 Parley 自动识别。',
  // Certificates.
  certificateOwn:
    '服务器的证书是自签名的，SHA-256 指纹是 {{fingerprint}}。请先确认这是你的服务器，再信任这张证书。',
  certificateUnknown:
    '服务器的证书由这台电脑不信任的机构签发，SHA-256 指纹是 {{fingerprint}}。请先确认这是你的服务器，再信任这张证书。',
  certificateExpired:
    '服务器的证书已过期，SHA-256 指纹是 {{fingerprint}}。请先确认这是你的服务器，再信任这张证书。',
  certificateEarly:
    '服务器的证书还没有生效，SHA-256 指纹是 {{fingerprint}}。请检查这台电脑的时间是否正确。',
  certificateRevoked: '服务器的证书已被吊销，SHA-256 指纹是 {{fingerprint}}。请联系服务器管理员。',
  certificateName: '服务器的证书是颁发给另一个名称的，与地址不符，SHA-256 指纹是 {{fingerprint}}。',
  certificateUnverified:
    '服务器的证书无法验证，SHA-256 指纹是 {{fingerprint}}。请先确认这是你的服务器，再信任这张证书。',
  certificateChanged:
    '服务器的证书不是你信任过的那一张，SHA-256 指纹是 {{fingerprint}}。如果服务器换过证书，可以信任新证书；否则可能有人在中间窃听。',
  // Results of the server test.
  testSlow: '服务器在 {{seconds}} 秒内没有响应。请检查地址和网络。',
  testSilent:
    '服务器接受了连接，但 {{seconds}} 秒内没有任何消息：它可能过载，或者不是实时语音服务器。',
  testBusy: '服务器现在无法建立会话。',
  testEnds: '会话刚建立，就被服务器结束了。',
  testOther: '这个地址上的服务器不是实时语音服务器，无法开始会话。请检查地址。',
  testForbids: '服务器拒绝访问（1008）。请检查访问令牌。',
  testFull: '服务器现在太忙（1013）。请一分钟后再试。',
  testCut: '服务器还没发来消息，连接就断开了。',
  testClosed: '服务器接受了连接，但没发消息就断开了（{{code}}）。它可能不是实时语音服务器。',
  testNoServer: '这个地址上是 Web 服务器，不是实时语音服务器（{{status}}）。请检查地址。',
  // Failed answers.
  answerRefused: '服务器没有接受这条消息（{{code}}）。请修改消息或选项后重新发送。',
  answerMemory: '聊天太长，超出了服务器上模型的上下文。请新建聊天，或者删除用不到的内容。',
  answerFailed: '服务器在回答时出错了（{{code}}）。请重试。',
  answerFailedBefore: '当时没能得到这个回答：{{problem}}',
  answerCutByCrash: '接收这个回答时 Parley 意外退出了，回答不完整。想要完整的回答，请再问一次。',
  answerLost: '当时没能得到这个回答，这个版本的 Parley 无法识别原因。请重试。',
  answerUnfinished: '服务器没能完成这个回答（{{code}}）。请重试。',
  // Proxies.
  proxyAddressForm: '代理地址的格式不对。请写成 http://proxy.example:3128 这样的形式。',
  proxyLoginForm: '代理的用户名和密码各不超过 255 个字符，用户名里不能有冒号。',
  proxyNotConfirmed: '代理 {{proxy}} 未经确认，Parley 不会使用它。',
  proxyLoginSealed: '无法从密钥环读取代理 {{proxy}} 的密码。请解锁密钥环，或重新输入密码。',
  proxyLoginGone: '代理 {{proxy}} 的用户名和密码已丢失。请在“设置”的“服务器”里重新输入。',
  proxyAway: '无法连接代理 {{proxy}}。请检查网络，以及“设置”的“服务器”里的代理。',
  proxySlow: '代理 {{proxy}} 没能及时连接 {{server}}。请检查“设置”的“服务器”里的代理，或重试。',
  proxyWantsLogin: '代理 {{proxy}} 要求用户名和密码。请在“设置”的“服务器”里输入。',
  proxyRefusesLogin: '代理 {{proxy}} 不接受这个用户名和密码。请在“设置”的“服务器”里重新输入。',
  proxyForbids: '代理 {{proxy}} 不允许连接 {{server}}（{{status}}）。请联系代理的管理员。',
  proxyReachesNothing:
    '代理 {{proxy}} 无法连接 {{server}}（{{status}}）。请检查服务器的地址，或重试。',
  proxyUntrusted: '这台电脑不信任代理 {{proxy}} 的证书。请联系代理的管理员。',
  noProxyThere:
    '{{proxy}} 不是所填类型的代理。请在“设置”的“服务器”里检查它的地址，以及开头是 http://、https:// 还是 socks5://。',
  // The model on this computer.
  // The program that runs the model.
  modelProgramMissing: '没有找到 llama-omni-server。请选择它的文件，或者先编译安装。',
  pathNotChosen: '请在系统的文件选择窗口中选择。',
  modelProgramGone: '{{path}} 不存在。请重新选择 llama-omni-server。',
  modelProgramNotExecutable: '{{path}} 无法运行。请给它加上可执行权限，或者换一个文件。',
  modelProgramForeign: '{{path}} 不是这台电脑能用的 llama-omni-server。请换一个文件。',
  modelProgramOld: '{{path}} 的版本太旧。请编译最新的 llama-omni-server。',
  modelLibraryMissing: '运行模型的程序缺少 {{name}}。请先安装它，再启动模型。',
  modelProcessorOld: '运行模型的程序是为其他处理器编译的。请在这台电脑上重新编译。',
  modelElsewhere: '这台电脑上另一个 Parley 正在运行模型。请先关闭它。',
  modelStopped: '模型已停止。开始通话或聊天，就会重新加载。',
  // The program ends or hangs.
  modelKilled: '系统强行结束了运行模型的程序，可能是内存不足。请关闭其他程序，然后重试。',
  modelCardMemory: '显存不足，无法运行模型。请关闭其他占用显卡的程序，然后重试。',
  modelMemory: '内存不足，无法运行模型。请关闭其他程序，然后重试。',
  modelNoCard: '运行模型的程序无法使用显卡。请检查显卡驱动。',
  modelPortTaken: '模型的端口一再被其他程序占用。请重试。',
  modelTemporaryFull: '{{path}} 的空间已满。请腾出一些空间，然后重试。',
  modelFileUnreadable: '模型文件 {{name}} 缺失或已损坏。请用“校验文件”检查。',
  modelSilent: '模型 {{seconds}} 秒没有响应。请重试。',
  modelExited: '运行模型的程序已停止。最后的输出：“{{line}}”。',
  modelTooSlow:
    '模型在这台电脑上运行太慢，只能聊天，不能通话：处理每段声音要 {{p90Ms}} 毫秒，上限是 {{limitMs}} 毫秒。',
  modelCrashLoop: '模型启动了 {{times}} 次，每次都意外停止。',
  // The model's files.
  modelSpace:
    '{{folder}} 需要 {{neededGb}} GB 空间来存放模型，目前只剩 {{freeGb}} GB。请腾出空间，或者换一个文件夹。',
  modelDiskFull: '{{folder}} 所在的磁盘已满。请腾出 {{neededGb}} GB 后继续，已下载的部分会保留。',
  modelFilesMissing: '{{folder}} 中缺少模型文件：{{names}}。请换一个文件夹，或者下载模型。',
  modelFileSize: '{{folder}} 中的 {{name}} 大小不对。请删除后重新下载。',
  modelFileChanged: '{{folder}} 中的 {{name}} 已损坏或内容有变。请删除后重新下载。',
  modelFolderForeign: 'Parley 只删除自己下载的文件。如果不再需要 {{folder}}，请自行删除。',
  modelFolderBusy: '另一个 Parley 正在向 {{folder}} 下载。请等它完成，或者先关闭它。',
  modelFilesBusy: '模型文件正在使用中。请等下载或校验结束。',
  // The mirrors that serve the model's files.
  modelMirrorAway: '无法连接 {{host}}。请检查网络后继续，已下载的部分会保留。',
  modelMirrorSlow: '{{host}} 没有发来数据。请检查网络后继续，已下载的部分会保留。',
  modelMirrorRefuses:
    '{{host}} 拒绝提供模型文件（HTTP {{status}}）。请稍后重试，或者换一个下载来源。',
  modelMirrorRedirects: '{{host}} 把下载重定向到了 Parley 不使用的地址。请换一个下载来源。',
  modelMirrorUntrusted: '{{host}} 的证书无效。请检查网络、代理和电脑的日期。',
  modelMirrorAlters: '{{host}} 发来的 {{name}} 与原始模型文件不符，已删除。请换一个下载来源。',
  modelMirrorsAlter: '所有下载来源发来的 {{name}} 都与原始模型文件不符，已删除。请检查网络和代理。',
};
