import type { PageMessages } from '../messages.ts';

export const chineseSettingsAssistant: PageMessages['settings']['rows']['assistant'] = {
  preset: {
    name: '角色',
    hint: '开始前告诉助手的话，从下一次通话或提问起生效。',
    also: '预设 人设 系统提示词 性格',
  },
  instructions: {
    name: '你自己的指示',
    hint: '写给助手看，就像向人交代事情一样。',
    also: '系统提示词',
  },
  configs: {
    name: '这个角色的附加字段',
    hint: '以这个角色通话时发送的 JSON 对象。同名字段优先于下面的设置，但以服务器自己的附加字段为准；null 表示不发送该字段。',
    also: '配置 生成 选项',
  },
  lengthPenalty: {
    name: '回答长短',
    hint: '调高回答更长，调低更早收尾。',
    also: '长度惩罚 长 短',
  },
  temperature: {
    name: '用词的意外程度',
    hint: '低则用最有把握的词，高则更活泼也更容易出错。',
    also: '温度 创造力',
  },
  topK: { name: '候选词数', hint: '只考虑最可能的这么多个词。', also: 'Top K 采样' },
  topP: {
    name: '候选词占比',
    hint: '只考虑合起来达到这个占比的最可能的词。',
    also: 'Top P 核采样',
  },
  textRepetitionPenalty: {
    name: '避免重复用词',
    hint: '大于 1 时会避开刚说过的话。',
    also: '重复惩罚 文本',
  },
  listenProbScale: {
    name: '倾听的意愿',
    hint: '调高后你一开口它更快安静，调低则继续说下去。',
    also: '倾听概率',
  },
  listenTopK: {
    name: '倾听的名次',
    hint: '只有“倾听”排在最可能的前几步之内，它才会停下来听。',
    also: '倾听 Top K',
  },
  maxNewSpeakTokensPerChunk: {
    name: '每步说多少',
    hint: '每一步声音里最多说这么多。太少会卡顿，太多则难以打断。',
    also: '每块词元 说话',
  },
  forceListenCount: {
    name: '先听一会儿',
    hint: '开始的这么多步里只听不说。',
    also: '强制倾听次数',
  },
  generateAudio: {
    name: '说出回答',
    hint: '关闭后只显示字幕，不出声。',
    also: '生成语音 静音 仅文字',
  },
  lsMode: {
    name: '何时开口的方式',
    hint: '服务器认识的一个词。除非服务器管理者另有说明，否则不用改。',
    also: 'ls 模式',
  },
  decodeMode: {
    name: '选词方式',
    hint: '服务器认识的一个词，通常是“sampling”。',
    also: '解码模式 贪心 采样',
  },
  ttsTemperature: {
    name: '声音的生动程度',
    hint: '低则平稳，高则多变，偶尔会走样。',
    also: '语音温度 合成',
  },
  ttsRepetitionPenalty: {
    name: '避免重复发音',
    hint: '大于 1 时声音更少结巴和拖长。',
    also: '语音重复惩罚 合成',
  },
  chunkMs: {
    name: '每步长度',
    hint: '每次发给服务器这么长的声音。越短回答越快，前提是服务器跟得上。',
    also: '分块 毫秒 延迟',
  },
};
