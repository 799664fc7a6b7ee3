import type { CoreMessages } from '../messages.ts';

export const chineseTranscript: CoreMessages['transcript'] = {
  title: '与 Parley 的通话',
  you: '你',
  noWords: '说了话，没有文字记录',
  notHeard: '没有听到',
  byMachine: '由机器转写',
  chatTitle: '与 Parley 的聊天',
  picture: '图片',
  clip: '录音',
  unfinished: '未完成',
};
