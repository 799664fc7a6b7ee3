import type { PageMessages } from '../messages.ts';

export const chineseMemory: PageMessages['memory'] = {
  empty: 'Parley 还没有记住关于你的事。',
  amount: '{{count}} 句，最多 {{most}} 句；空间已用 {{percent}}%。',
  sources: {
    person: '你写的',
    talk: '来自通话“{{title}}”',
    chat: '来自聊天“{{title}}”',
    untitled: '无标题',
  },
  from: '{{source}}，{{date}}',
  on: '使用“{{text}}”',
  up: '上移“{{text}}”',
  down: '下移“{{text}}”',
  edit: '编辑“{{text}}”',
  remove: '删除“{{text}}”',
  past: {
    title: '以前的内容：',
    open: '{{title}}，{{date}}',
    remove: '不发送“{{title}}”',
    nextSession: '要等几分钟，Parley 才能用到这些。',
    inTalk: 'Parley 现在已经知道这些。',
  },
  suggestions: {
    title: '要记住吗？',
    replaces: '代替：{{text}}',
    accept: '记住',
    reject: '不用',
    acceptThis: '记住“{{text}}”',
    rejectThis: '不用：{{text}}',
    first: 'Parley 发现了值得记住的事。你想怎么处理？',
    more: '查看全部 {{count}} 句',
  },
  write: '关于你的一句话',
  add: '添加',
  example: '我有两个孩子，住在杭州。',
  deleteAll: '全部删除',
  askAll: '忘掉记忆里的全部内容？',
  askAllText: '所有句子都会删除，无法恢复。',
  yesAll: '全部忘掉',
};

export const chineseSettingsMemory: PageMessages['settings']['rows']['memory'] = {
  use: {
    name: '使用记忆',
    hint: '每次通话、聊天和快速提问都会带上下面打开的句子。打开“无痕模式”时不发送。',
    also: '记住 个人 隐私 关闭',
  },
  suggest: {
    name: '记忆建议',
    hint: '保留的通话或聊天结束后，请当时所用的服务器挑出值得记住的事。通话要打开“把你说的话转成文字”。',
    also: '自动 建议 学习',
  },
  past: {
    name: '查找历史',
    hint: '你的问题提到以前的通话或聊天时，把其中两段一起发给服务器。',
    also: '上次 聊过 之前 说过 记得 搜索',
  },
  list: {
    name: 'Parley 对你的了解',
    hint: '放不下时，只发送排在前面的句子。',
    also: '记住 忘记 个人 句子 删除 修改 排序',
  },
  write: {
    name: '告诉 Parley 一件事',
    hint: '写一句短话。不要在这里写密码。',
    also: '记住 添加 新',
  },
};
