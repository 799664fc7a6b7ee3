import type { PageMessages } from '../messages.ts';

export const chineseSettingsCursor: PageMessages['settings']['rows']['cursor'] = {
  enabled: {
    name: '在其他程序里使用 Parley',
    hint: '在你工作的地方打开一个小窗口，回答问题、听写文字。Parley 只留意它自己的按键。',
    also: '光标 快速提问 全局 快捷键 悬浮 随处 口述 听写',
  },
  askKey: {
    name: '快速提问',
    hint: '打开小窗口，选中的文字随手可用。',
    also: '全局 快捷键 启动器',
  },
  dictateKey: {
    name: '口述',
    hint: '按住说话，或按一下、说完再按一下。Parley 认不出密码框，请不要在那里使用。',
    also: '全局 快捷键 语音输入 听写 密码',
  },
  lookKey: {
    name: '看这里',
    hint: '让通话看一次你的屏幕，而不共享它。',
    also: '全局 快捷键 截图 图片 屏幕',
  },
  always: {
    name: '总是附上',
    hint: '没有选的只会列出来，点了才会发送。',
    also: '选中 剪贴板 窗口标题 隐私',
  },
  speakAnswers: {
    name: '读出回答',
    hint: '把快速提问的回答读出来。',
    also: '语音 朗读 声音',
  },
  dictation: {
    name: '口述方式',
    hint: '逐字写下，去掉语气词，或用你的一个操作改写。',
    also: '逐字 整理 语气词 标点',
  },
  language: {
    name: '口述的语言',
    hint: '留空时，听到什么语言就写什么语言。',
    also: '听写 语音识别',
  },
  words: {
    name: '你的词语',
    hint: '每行一个：要这样写的名字和词语。每次口述都会一起发送。',
    also: '词汇 名字 词典 拼写 术语',
  },
  firstLanguage: {
    name: '你的语言',
    hint: '“翻译”会把其他语言译成它。',
    also: '翻译 译文',
  },
  secondLanguage: {
    name: '你的另一种语言',
    hint: '“翻译”会把你的语言译成它。',
    also: '翻译 译文',
  },
  actions: {
    name: '操作',
    hint: '每个操作都是对选中文字的一句要求。{{first}} 和 {{second}} 代表你的两种语言。',
    also: '提示词 解释 翻译 缩短 改错 回复 总结 改写',
  },
};
