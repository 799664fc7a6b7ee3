import type { PageMessages } from '../messages.ts';

// The sections Servers, Assistant, Talking, Keys and At the cursor; settings-rows.ts has the others.

export const chineseSettingsEndpoints: PageMessages['settings']['rows']['endpoints'] = {
  list: {
    name: '通话对象',
    hint: '所选服务器从下一次通话或提问起生效。',
    also: '端点 主机 演示 连接 网关',
  },
  proxy: {
    name: '代理',
    hint: '用于连接其他电脑上的服务器和检查更新，从下一次连接起生效。“跟随系统”表示使用系统的代理设置。',
    also: '代理 网络 公司 防火墙 环境变量 proxy socks',
  },
  proxyAddress: {
    name: '代理地址',
    hint: '以 http://、https:// 或 socks5:// 开头，以端口号结尾。用户名和密码像访问令牌一样保存，不再显示。',
    also: '代理 主机 端口 用户名 密码 登录 认证',
  },
  url: {
    name: '地址',
    hint: '以 ws://、wss://、http:// 或 https:// 开头。',
    also: '网址 主机 端口 端点',
  },
  called: { name: '名称', hint: '你对它的称呼；不填则显示地址。', also: '标签 标题' },
  kind: { name: '在哪里运行', hint: '在这台电脑或局域网上，或由别人托管。', also: '本地 托管' },
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
    name: '查询参数',
    hint: '附加在地址后面；值与访问令牌一同保管，不再显示。',
    also: '参数 字段',
  },
  fingerprint: {
    name: '信任的证书',
    hint: '自签名服务器证书的 SHA-256 指纹；只信任这一张。',
    also: 'TLS SSL 指纹',
  },
  timeLimit: {
    name: '会话最长时间',
    hint: '以秒为单位。不填时先按带画面 5 分钟、仅语音 10 分钟计算，之后按服务器的实际情况调整。',
    also: '时限 超时 时长',
  },
  contextLimit: {
    name: '会话的上下文长度',
    hint: '以词元为单位。不填时先按 8192 计算，之后按服务器的实际情况调整。',
    also: '上下文 窗口 词元 上限',
  },
  voiceForm: {
    name: '音色的格式',
    hint: '旧版协议的服务器怎样读取音色。文档写的是 WAV 文件，但不少服务器实际读取的是原始采样。',
    also: '参考音色 采样 旧版',
  },
  config: {
    name: '附加字段',
    hint: '每次通话时发送给这台服务器的 JSON 对象；与设置或角色里的字段同名时，以这里为准；null 表示不发送该字段。',
    also: '配置 生成 选项',
  },
};

export const chineseSettingsAssistant: PageMessages['settings']['rows']['assistant'] = {
  preset: {
    name: '角色',
    hint: '每次通话或聊天开始前给助手的指令，从下一次通话或提问起生效。',
    also: '预设 人设 系统提示词 性格',
  },
  instructions: {
    name: '你自己的指令',
    hint: '写给助手看，就像向人交代事情一样。',
    also: '系统提示词 指示 要求',
  },
  withoutMemory: {
    name: '这个角色使用记忆',
    hint: '把 Parley 对你的了解和角色一起发送。',
    also: '记住 个人',
  },
  configs: {
    name: '这个角色的附加字段',
    hint: '以这个角色通话时发送的 JSON 对象；与下面的设置同名时，以这里为准；与服务器的附加字段同名时，以服务器的为准；null 表示不发送该字段。',
    also: '配置 生成 选项',
  },
  lengthPenalty: {
    name: '回答长度',
    hint: '调高，回答更长；调低，回答更短。',
    also: '长度惩罚 长 短',
  },
  temperature: {
    name: '创造力',
    hint: '调低更稳妥，调高更活泼，也更容易出错。',
    also: '温度 创造力',
  },
  topK: { name: '候选词数', hint: '每次选词时，从可能性最高的几个词里选。', also: 'Top K 采样' },
  topP: {
    name: '候选词累计概率',
    hint: '从概率最高的词算起，累计概率一达到这个比例就停，只在这些词里选。',
    also: 'Top P 核采样',
  },
  textRepetitionPenalty: {
    name: '避免重复用词',
    hint: '大于 1 时，会少用刚说过的词。',
    also: '重复惩罚 文本',
  },
  listenProbScale: {
    name: '倾听意愿',
    hint: '调高后，你开口时它会更快停下来听；调低后，它更愿意开口，也更愿意说下去。',
    also: '倾听概率 停下 倾向 打断',
  },
  listenTopK: {
    name: '倾听名次',
    hint: '模型把“倾听”排在这个名次以内时，才会停下来听。',
    also: '倾听 排名 Top K',
  },
  maxNewSpeakTokensPerChunk: {
    name: '每段说多少',
    hint: '每段声音里最多说多少个词元。太少会断断续续，太多则难以打断。',
    also: '每块词元 说话',
  },
  forceListenCount: {
    name: '先听一会儿',
    hint: '通话开始时只听不说的段数。',
    also: '强制倾听次数',
  },
  generateAudio: {
    name: '用语音回答',
    hint: '关闭后只显示字幕，不出声。',
    also: '生成语音 静音 仅文字',
  },
  lsMode: {
    name: '何时开口',
    hint: '填写服务器支持的取值。除非服务器的文档有说明，否则不用改。',
    also: 'ls 模式',
  },
  decodeMode: {
    name: '选词方式',
    hint: '填写服务器支持的取值，通常是“sampling”。',
    also: '解码模式 贪心 采样',
  },
  ttsTemperature: {
    name: '声音变化',
    hint: '调低更平稳，调高变化更多，偶尔会走样。',
    also: '语音温度 合成',
  },
  ttsRepetitionPenalty: {
    name: '避免重复发音',
    hint: '大于 1 时，可以减少结巴和拖音。',
    also: '语音重复惩罚 合成',
  },
  chunkMs: {
    name: '每段长度',
    hint: '每段发给服务器的声音有多长。越短回答越快，前提是服务器跟得上。',
    also: '分块 毫秒 延迟',
  },
};

export const chineseSettingsTalking: PageMessages['settings']['rows']['talking'] = {
  mode: {
    name: '说话方式',
    hint: '麦克风常开，或由按键控制。',
    also: '按键说话 按住 按一下 开放麦克风',
  },
  key: {
    name: '说话键',
    hint: '窗口在前台时有效。',
    also: '按键说话 快捷键 热键 空格',
  },
  everywhere: {
    name: '在其他程序里也能说话',
    hint: '使用其他程序时，按全局说话键就能说话。只识别这一个键，其他按键不保存、不发送。',
    also: '全局 热键 全局按键 后台 其他程序 所有程序 按键说话',
  },
  globalKey: {
    name: '全局说话键',
    hint: '用法与说话键相同，也可以是同一个键。',
    also: '全局 热键 全局快捷键 按键说话',
  },
  globalTest: {
    name: '在其他程序里测试',
    hint: '开始测试后切换到其他程序，再按下这个键。',
    also: '测试 全局 热键 检查 自检',
  },
  sounds: {
    name: '麦克风提示音',
    hint: '按键打开麦克风时轻响一声，关闭时再响一声。',
    also: '声音 提示 打开 关闭',
  },
  startMuted: {
    name: '开始时静音',
    hint: '用于“麦克风常开”。用说话键时，不按键本来就不会发送声音。',
    also: '静音 开始 隐私 麦克风关闭 托盘',
  },
  arrives: {
    name: '测试说话键',
    hint: '按一下试试：Parley 收到按键时，这里会亮起。',
    also: '测试按键 检查',
  },
  overlap: {
    name: '听到“嗯”也接着说',
    hint: '你只是简短应一声时，回答的声音会暂时变小，但不会停下。',
    also: '重叠 附和 插话 压低',
  },
  shortMs: {
    name: '多短算“嗯”',
    hint: '不超过这个长度的声音，不会打断回答。',
    also: '重叠 长度 毫秒',
  },
  longTalks: {
    name: '会话时间用完时',
    hint: '每次会话通常只有几分钟，到时服务器就会结束它。进入下一次会话后，模型仍记得 Parley 说过什么，可以接着聊。',
    also: '限制 分钟 上下文 交接 继续 长时间',
  },
  answers: {
    name: '回答多快开始',
    hint: '服务器较慢时，“尽快”会有短暂停顿，“最流畅”则要多等一会儿。',
    also: '延迟 卡顿 缓冲 快 流畅',
  },
  yielding: {
    name: '模型停下时立即停止出声',
    hint: '模型说到一半转为倾听时，回答的声音是否立即停下。',
    also: '让步 打断 停止 倾听',
  },
};

export const chineseSettingsKeys: PageMessages['settings']['rows']['keys'] = {
  interrupt: { name: '打断', hint: 'Parley 立刻安静下来。', also: '快捷键 停止 退出键' },
  mute: { name: '静音', hint: '再按一次恢复。', also: '快捷键 麦克风 取消静音' },
  cough: { name: '按住静音', hint: '按住期间静音。', also: '快捷键 麦克风 静音' },
  pause: { name: '暂停', hint: '再按一次之前，不发送任何内容。', also: '快捷键 继续' },
  end: { name: '结束通话', hint: '之后还可以继续。', also: '快捷键 挂断' },
  keepRecent: {
    name: '保存最近两分钟',
    hint: '存为录制文件。请先在“隐私”里打开“暂存最近两分钟”。',
    also: '快捷键 录音 保存 录制',
  },
  doRequest: {
    name: '照我说的做',
    hint: '通话时，用工具去做你刚才说的事。请先在“工具”里打开“通话中使用工具”。',
    also: '快捷键 工具 请求 提醒',
  },
  palette: { name: '命令', hint: '输入几个字就能找到要做的事。', also: '快捷键 命令面板' },
  inspector: { name: '检查器', hint: '与服务器收发的内容。', also: '快捷键 帧' },
  shortcuts: { name: '键盘快捷键', hint: '这个窗口的所有快捷键。', also: '快捷键 按键 帮助 一览' },
};

export const chineseSettingsCursor: PageMessages['settings']['rows']['cursor'] = {
  enabled: {
    name: '在其他程序里使用 Parley',
    hint: '在任何程序里都能调出浮窗，提问或听写。Parley 只识别自己的快捷键。',
    also: '光标 快速提问 全局 快捷键 悬浮 随处 口述 听写',
  },
  askKey: {
    name: '快速提问',
    hint: '打开浮窗，可以直接附上选中的文字。',
    also: '全局 快捷键 启动器',
  },
  dictateKey: {
    name: '听写',
    hint: '按住说话，或按一下、说完再按一下。Parley 认不出密码框，请不要在密码框里使用。',
    also: '全局 快捷键 语音输入 口述 密码',
  },
  lookKey: {
    name: '让 Parley 看屏幕',
    hint: '通话时按下，Parley 会看一眼当前屏幕，不会开始共享。',
    also: '全局 快捷键 截图 图片 屏幕',
  },
  regionKey: {
    name: '让 Parley 看屏幕的一部分',
    hint: '通话时按下，再框选要看的部分。Parley 会看一眼，不会开始共享。',
    also: '全局 快捷键 截图 图片 区域 框选',
  },
  always: {
    name: '始终附上',
    hint: '没有选的只列在浮窗里，点了才会发送。',
    also: '总是 选中 剪贴板 窗口标题 隐私',
  },
  speakAnswers: {
    name: '朗读回答',
    hint: '朗读快速提问的回答。',
    also: '语音 读出 声音',
  },
  dictation: {
    name: '听写方式',
    hint: '可以逐字记录，可以去掉语气词，也可以用下面的某个“操作”改写。',
    also: '口述 逐字 整理 语气词 标点',
  },
  language: {
    name: '听写的语言',
    hint: '留空时，听到什么语言就写什么语言。',
    also: '口述 语音识别',
  },
  words: {
    name: '专用词',
    hint: '每行一个，填写人名、术语等写法固定的词。每次听写都会一并发送。',
    also: '词语 词汇 名字 词典 拼写 术语',
  },
  firstLanguage: {
    name: '你的语言',
    hint: '“翻译”会把其他语言译成这种语言。',
    also: '翻译 译文',
  },
  secondLanguage: {
    name: '你的另一种语言',
    hint: '“翻译”会把你的语言译成这种语言。',
    also: '翻译 译文',
  },
  actions: {
    name: '操作',
    hint: '每个操作都是处理选中文字的一段提示词。{{first}} 和 {{second}} 代表你的两种语言。',
    also: '提示词 解释 翻译 缩短 改错 回复 总结 改写',
  },
};
