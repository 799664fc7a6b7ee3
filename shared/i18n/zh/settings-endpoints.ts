import type { PageMessages } from '../messages.ts';

export const chineseSettingsEndpoints: PageMessages['settings']['rows']['endpoints'] = {
  list: {
    name: '通话对象',
    hint: 'Parley 与选中的服务器通话，从下一次通话或提问起生效。',
    also: '端点 主机 演示 连接 网关',
  },
  proxy: {
    name: '代理',
    hint: '用于连接其他机器上的服务器和检查更新，从下一次连接起生效。“跟随系统”即按系统的设置。',
    also: '代理 网络 公司 防火墙 环境变量 proxy socks',
  },
  proxyAddress: {
    name: '代理地址',
    hint: '以 http://、https:// 或 socks5:// 开头，以端口结尾。用户名和密码像访问令牌一样保存，不再显示。',
    also: '代理 主机 端口 用户名 密码 登录 认证',
  },
  url: {
    name: '地址',
    hint: '以 ws://、wss://、http:// 或 https:// 开头。',
    also: '网址 主机 端口 端点',
  },
  called: { name: '名称', hint: '你怎么称呼它；不填就用地址。', also: '标签 标题' },
  kind: { name: '在哪里运行', hint: '在本机或本地网络，或由别人托管。', also: '本地 托管' },
  dialect: { name: '协议', hint: '会自动识别；识别太慢时再指定。', also: '方言 统一 旧版' },
  token: {
    name: '访问令牌',
    hint: '只发给这台服务器，之后不再显示。',
    also: '密码 密钥 口令 授权 登录',
  },
  headers: {
    name: '请求头',
    hint: '建立连接时发送；值与访问令牌一同保管，不再显示。',
    also: 'HTTP 标头',
  },
  query: {
    name: '查询字段',
    hint: '附加在地址后面；值与访问令牌一同保管，不再显示。',
    also: '参数',
  },
  fingerprint: {
    name: '信任的证书',
    hint: '自签名服务器证书的 SHA-256 指纹；只信任这一张。',
    also: 'TLS SSL 指纹',
  },
  timeLimit: {
    name: '会话最长时间',
    hint: '以秒为单位。不填时按带画面 5 分钟、仅语音 10 分钟计算，并会逐渐了解服务器的实际情况。',
    also: '时限 超时 时长',
  },
  contextLimit: {
    name: '会话的记忆容量',
    hint: '以词元为单位。不填时按 8192 计算，并会逐渐了解服务器的实际情况。',
    also: '上下文 窗口 词元 上限',
  },
  voiceForm: {
    name: '声音的格式',
    hint: '旧版协议的服务器如何读取参考音色：按文档是 WAV 文件，许多实际部署的服务器读取的是裸采样。',
    also: '参考音色 采样 旧版',
  },
  config: {
    name: '附加字段',
    hint: '每次通话时发送给这台服务器的 JSON 对象；与设置或角色中相同的字段以这里为准，null 表示不发送该字段。',
    also: '配置 生成 选项',
  },
};
