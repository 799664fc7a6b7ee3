import type { englishProxyErrors, englishSessionErrors } from '../en/session-errors.ts';

export const chineseSessionErrors: Readonly<Record<keyof typeof englishSessionErrors, string>> = {
  // Why no connection came about.
  noSuchServer: '没有名为 {{server}} 的服务器，请检查地址。',
  noName: '现在无法查到 {{server}}，请检查这台电脑的网络。',
  nothingListens: '{{server}} 没有程序在监听，服务器启动了吗？',
  hungUp: '{{server}} 还没回应就挂断了。请检查地址，以及是否需要 wss://。',
  noAnswer: '{{server}} 没有回应。',
  noRoute: '从当前网络无法到达 {{server}}。',
  noConnection: '无法连接 {{server}}，请检查地址和网络。',
  badAddress: '这个地址无法连接。',
  notHttp: '在 {{server}} 回应的不是网络服务器。请检查地址，以及是否需要 wss://。',
  notTls: '{{server}} 在那里不使用 TLS，也许需要 ws:// 而不是 wss://。',
  notWebSocket: '{{server}} 有回应，但不是实时服务器。请检查地址。',
  connectionGivenUp: '连接还没建立就被放弃了。',
  handshakeSlow: '{{server}} 没有回应：{{seconds}} 秒内没有建立连接。',
  recordedFailure: '录音时的连接失败了：{{problem}}',
  tapeEnded: '录音里没有更多的连接了。',
  tapeEndsInSentence: '录音到第 {{seconds}} 秒为止，停在一句话的中间。',
  tapeEndsEarly: '录音到第 {{seconds}} 秒为止，那时通话还没结束。',
  // Why a session ended, or what went wrong in one; `detail` is what the server itself said.
  endedByPerson: '你结束了会话。',
  answerDone: '你结束了聊天。',
  timeLimitReached: '本次会话已达到时间上限。开始新的会话就能继续。',
  memoryFull: '模型在本次会话中的记忆已满。开始新的会话就能继续。',
  modelFailed: '服务器背后的模型出错了。请重新开始；如果再次发生，请告诉服务器的管理者。',
  serverLeaving: '服务器即将停止。请过几分钟再试。',
  serverGaveUp: '服务器遇到无法恢复的错误，结束了会话。请重新开始。',
  serverSaysUserStop: '服务器按“你要求结束”处理并结束了通话。如果不是你要求的，请重新开始。',
  serverSaysStopped: '服务器按“你要求结束”处理并结束了通话。如果不是你要求的，请重新开始。',
  serverSaysClientClosed: '服务器按“你要求结束”处理并结束了通话。如果不是你要求的，请重新开始。',
  queueFull: '服务器的队列满了。请过几分钟再试。',
  workersBusy: '服务器繁忙。请稍后再试。',
  serverNotReady: '服务器还没有准备好。请一分钟后再试。',
  workerUnreachable: '服务器暂时无法接通。请稍后再试。',
  sessionFailed: '服务器无法建立或保持会话。请再试一次；如果再次发生，请告诉服务器的管理者。',
  sessionCut: '你中断了会话。',
  speechLost: '线路断了一阵，你说的话有 {{seconds}} 秒没有传到，请再说一遍。',
  talkCutByCrash: 'Parley 意外退出了；{{time}} 之前的通话还在。',
  lostInSleep: '这台电脑睡眠过，连接已经断开。如果 Parley 没有自动重连，请重新连接。',
  connectionLost: '连接断开了。请检查网络，然后重新开始。',
  closedSilently: '服务器关闭了连接，没有说明原因。请重新开始。',
  closedWithCode: '连接关闭了（代码 {{code}}）。请重新开始。',
  serverFailed: '服务器出错了。请重新开始。',
  serverCannotRead: '服务器读不懂 Parley 发送的内容。这是 Parley 或服务器的错误，请反馈。',
  notAllowed: '服务器不允许这样做。请检查这个服务器的访问令牌。',
  messageTooLarge: '有一条消息对服务器来说太大了。请发送较小的图片或较短的片段。',
  serverMessageTooLarge:
    '服务器发来的一条消息超过了 {{megabytes}} MB，Parley 已结束本次会话。请告诉服务器的管理者。',
  answerTooLong:
    '服务器一次发来了超过 {{letters}} 个字符，这不可能是正常的回答，Parley 已结束本次会话。请重新开始；如果再次发生，请告诉服务器的管理者。',
  soundTooLong:
    '服务器一次发来了超过 {{minutes}} 分钟的语音，Parley 已结束本次会话。请重新开始；如果再次发生，请告诉服务器的管理者。',
  troublesWithoutEnd: '服务器接连不断地报告错误，Parley 已结束本次会话。请告诉服务器的管理者。',
  serverSilent: '服务器接受了连接，却一直没有回应。请确认地址指向实时服务器。',
  sessionNotCreated: '服务器放行了，却没有建立会话。请一分钟后再试。',
  serverStalled: '服务器不再回应。请重新开始。',
  unreachable: '连不上服务器。请检查地址和网络。',
  noChatInLegacy:
    '这台服务器使用旧版协议，没有提供聊天功能。可以与它通话，或为聊天选择其他服务器；如果它支持统一版协议，请在设置中指定。',
  settingsRefused: '服务器不接受本次会话的设置（{{reason}}）。请检查提示词、声音和协议方言。',
  fieldRefused: '服务器不接受配置字段“{{field}}”（{{reason}}）。请对这台服务器停用该字段。',
  serverEnded: '服务器结束了会话（{{reason}}）。请重新开始；如果再次发生，请告诉服务器的管理者。',
  serverReports: '服务器报告了一个错误（{{reason}}），会话会继续。',
  notChat: '这是语音会话。要写字，请打开聊天。',
  eventUnreadable: '服务器发来了 Parley 读不懂的内容，会话会继续。',
  refusedUnknown: '服务器需要确认你的身份（{{status}}）。请检查这个服务器的访问令牌。',
  refusedForbidden: '服务器不让你进入（{{status}}）。请检查访问令牌，并确认服务器提供这种模式。',
  refusedNotFound: '这个地址上没有实时服务器（{{status}}）。请检查地址。',
  refusedTooOften: '你向服务器发出的请求太多了（{{status}}）。请等一分钟再试。',
  refusedForNow: '服务器现在无法接受连接（{{status}}）。请一分钟后再试。',
  refusedByWeb: '这个地址上是网页服务器，不是语音服务器（{{status}}）。请检查端口和路径。',
  refusedOtherwise: '服务器拒绝了连接（{{status}}）。请检查这个服务器的地址。',
  otherDialectHint: '它可能使用另一种协议方言，请让 Parley 自动识别。',
  // What is wrong with a certificate.
  certificateOwn:
    '服务器的证书是自签名的，SHA-256 指纹是 {{fingerprint}}。确认是你的服务器再信任它。',
  certificateUnknown:
    '服务器的证书来自这台电脑不认识的机构，SHA-256 指纹是 {{fingerprint}}。确认是你的服务器再信任它。',
  certificateExpired:
    '服务器的证书已过期，SHA-256 指纹是 {{fingerprint}}。确认是你的服务器再信任它。',
  certificateEarly:
    '服务器的证书还没有生效（这台电脑的时间对吗？），SHA-256 指纹是 {{fingerprint}}。',
  certificateRevoked:
    '服务器的证书已被吊销，SHA-256 指纹是 {{fingerprint}}。请询问服务器的管理者。',
  certificateName: '服务器的证书属于另一个名称，与地址不符，SHA-256 指纹是 {{fingerprint}}。',
  certificateUnverified:
    '服务器的证书无法验证，SHA-256 指纹是 {{fingerprint}}。确认是你的服务器再信任它。',
  certificateChanged:
    '服务器的证书不是已信任的那一个，SHA-256 指纹是 {{fingerprint}}。如果服务器换了证书，就信任新的；否则可能有人在中间。',
  // What the test of a server found, where no status says it.
  testSlow: '服务器在 {{seconds}} 秒内没有回应，请检查地址和网络。',
  testSilent: '服务器接受了连接，但 {{seconds}} 秒内没有任何消息：它可能过载，或者不是实时服务器。',
  testBusy: '服务器现在无法建立会话。',
  testEnds: '服务器一建立会话就结束。',
  testOther: '那里回应的不是实时服务器，没有开始会话。请检查地址。',
  testForbids: '服务器不让你进入（1008）。请检查访问令牌。',
  testFull: '服务器现在太忙（1013）。请一分钟后再试。',
  testCut: '服务器还没发来消息，连接就断开了。',
  testClosed: '服务器接受了连接，没发消息就关闭了（{{code}}），它可能不是实时服务器。',
  testNoServer: '那里回应的是网站，不是实时服务器（{{status}}）。请检查地址。',
  // Why an answer did not come to its end, while the session went on.
  answerRefused: '服务器没有接受这条消息（{{code}}）。请修改消息或选项后重新发送。',
  answerMemory: '聊天太长，超出了服务器模型的记忆。请新建聊天，或者删除它不需要知道的内容。',
  answerFailed: '服务器在回答时出错了（{{code}}）。请再试一次。',
  answerFailedBefore: '这个回答当时失败了：{{problem}}',
  answerCutByCrash:
    '接收这个回答时 Parley 意外退出了。已经收到的部分还在；想要完整的回答，请再问一次。',
  answerLost: '这个回答当时失败了，这个版本的 Parley 不知道原因。请再试一次。',
  answerUnfinished: '服务器没能完成这个回答（{{code}}）。请再试一次。',
};

export const chineseProxyErrors: Readonly<Record<keyof typeof englishProxyErrors, string>> = {
  proxyAddressForm: '代理地址的形式如 http://proxy.example:3128。',
  proxyLoginForm: '代理的用户名和密码各不超过 255 个字符，用户名里不能有冒号。',
  proxyNotConfirmed: '没有确认代理 {{proxy}}，所以 Parley 不使用它。',
  proxyLoginSealed: '钥匙串打不开代理 {{proxy}} 的密码，请解锁钥匙串，或重新输入密码。',
  proxyLoginGone: '代理 {{proxy}} 的用户名和密码已不在保存中，请在“设置”的“服务器”里重新输入。',
  proxyAway: '无法连接代理 {{proxy}}，请检查网络，以及“设置”的“服务器”里的代理。',
  proxySlow: '代理 {{proxy}} 没能及时连上 {{server}}，请检查“设置”的“服务器”里的代理，或再试一次。',
  proxyWantsLogin: '代理 {{proxy}} 要求用户名和密码，请在“设置”的“服务器”里输入。',
  proxyRefusesLogin: '代理 {{proxy}} 不接受这个用户名和密码，请在“设置”的“服务器”里重新输入。',
  proxyForbids: '代理 {{proxy}} 不允许连接 {{server}}（{{status}}），请询问代理的管理者。',
  proxyReachesNothing:
    '代理 {{proxy}} 无法连接 {{server}}（{{status}}），请检查服务器的地址，或再试一次。',
  proxyUntrusted: '这台电脑不信任代理 {{proxy}} 的证书，请询问代理的管理者。',
  noProxyThere:
    '{{proxy}} 不是这种代理，请在“设置”的“服务器”里检查它的地址，以及开头是 http://、https:// 还是 socks5://。',
};
