import type { englishWhyServers as english } from '../english/why-servers.ts';
import type { MessageTree } from '../messages.ts';

export const chineseWhyServers: MessageTree<typeof english> = {
  // Addresses and what goes along with them.
  addressEmpty: '地址是空的，请以 ws://、wss://、http:// 或 https:// 开头。',
  noScheme: '地址“{{address}}”缺少协议，请以 ws://、wss://、http:// 或 https:// 开头。',
  otherScheme: 'Parley 不支持 {{scheme}}://，地址请以 ws://、wss://、http:// 或 https:// 开头。',
  userInAddress: '“{{address}}”的地址里有用户名，请改为单独填写访问令牌。',
  hashInAddress: '地址“{{address}}”不能带有 # 部分。',
  spaceInAddress: '地址“{{address}}”里有空格。',
  noHost: '地址“{{address}}”没有写出服务器。',
  badPort: '地址“{{address}}”的端口是 {{port}}，端口只能是 1 到 65535。',
  headerForm: '请求头写作“Name: value”。',
  headerReserved: '请求头 {{name}} 属于连接本身，不能设置。',
  headerCharacters: '请求头 {{name}} 含有不允许的字符。',
  headerAuthorization: '设置里不保存 Authorization 请求头，请改为填写它的访问令牌。',
  queryForm: '查询字段写作“name=value”。',
  queryMode: '查询字段 mode 由你的操作决定，不能手动填写。',
  fingerprintForm: '指纹是证书的 SHA-256，由 64 位十六进制数字组成。',
  fingerprintPlain: '指纹用于 wss:// 或 https:// 的证书，这个地址没有证书。',
  tokenForm: '访问令牌是空的，或者含有不该有的字符。',
  tokenTwice: '访问令牌和 Authorization 请求头只能填写一个。',
  // Servers as they are set.
  serverGone: '这个服务器已经不在了，请另选一个。',
  demonstrationStays: '演示不能更改，请另外添加服务器。',
  demonstrationBroken: '无法读取演示的语音，请重新安装 Parley。',
  valueMissing: '有一个请求头或查询字段没有值，请填写。',
  otherServer: '地址指向另一台服务器，请重新填写请求头和查询字段的值。',
  addressChanged: '地址在此期间改变了，请重新填写访问令牌。',
  tokenGone: '{{name}} 的访问令牌不见了，请重新填写。',
  keychainRefuses: '钥匙串拒绝保存访问令牌。',
  keychainElsewhere: '访问令牌由桌面窗口的钥匙串保护，在这里无法打开，请重新填写。',
  keychainClosed: '钥匙串无法再打开访问令牌，请重新填写。',
  // Certificates.
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
  // The test of a server.
  testSlow: '服务器在 {{seconds}} 秒内没有回应，请检查地址和网络。',
  testSilent: '服务器接受了连接，但 {{seconds}} 秒内没有任何消息：它可能过载，或者不是实时服务器。',
  testBusy: '服务器现在无法建立会话。',
  testEnds: '服务器一建立会话就结束。',
  testOther: '那里回应的不是实时服务器，没有开始会话。请检查地址。',
  testForbids: '服务器不让你进入（1008）。请检查访问令牌。',
  testFull: '服务器现在太忙（1013）。请一分钟后再试。',
  testCut: '服务器还没发来消息，连接就断开了。',
  testClosed: '服务器接受了连接，没发消息就关闭了（{{code}}），它可能不是实时服务器。',
  // The settings’ file.
  settingsUnread: '无法读取设置，所有设置都恢复为最初的样子。',
  settingsNewer: '这些设置由更新版本的 Parley 写入。',
  settingsPartly: '有些设置无法读取，已恢复为最初的样子：{{places}}。',
  putAside: '原来的内容保存在 {{path}}。',
  untilEnd: '你的更改只保留到 Parley 结束。',
  notTaken: '没有更改：{{place}} 不允许这个值。',
};
