import type { PageMessages } from '../messages.ts';

export const chineseSettingsCursor: PageMessages['settings']['rows']['cursor'] = {
  enabled: {
    name: '在其他程序里使用 Parley',
    hint: '在任何程序里都能调出小窗口，提问或听写。Parley 只识别自己的快捷键。',
    also: '光标 快速提问 全局 快捷键 悬浮 随处 口述 听写',
  },
  askKey: {
    name: '快速提问',
    hint: '打开小窗口，可以直接附上选中的文字。',
    also: '全局 快捷键 启动器',
  },
  dictateKey: {
    name: '听写',
    hint: '按住说话，或按一下、说完再按一下。Parley 认不出密码框，请不要在密码框里使用。',
    also: '全局 快捷键 语音输入 口述 密码',
  },
  lookKey: {
    name: '看这里',
    hint: '让通话中的 Parley 看一眼当前屏幕，不会开始共享。',
    also: '全局 快捷键 截图 图片 屏幕',
  },
  regionKey: {
    name: '看这一块',
    hint: '框选屏幕的一部分，让通话中的 Parley 看一眼，不会开始共享。',
    also: '全局 快捷键 截图 图片 区域 框选',
  },
  always: {
    name: '始终附上',
    hint: '没有选的只会列出来，点了才会发送。',
    also: '总是 选中 剪贴板 窗口标题 隐私',
  },
  speakAnswers: {
    name: '朗读回答',
    hint: '朗读快速提问的回答。',
    also: '语音 读出 声音',
  },
  dictation: {
    name: '听写方式',
    hint: '可以逐字记录，可以去掉语气词，也可以用你的某个操作改写。',
    also: '口述 逐字 整理 语气词 标点',
  },
  language: {
    name: '听写的语言',
    hint: '留空时，听到什么语言就写什么语言。',
    also: '口述 语音识别',
  },
  words: {
    name: '常用词',
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
