import type { englishHistoryErrors } from '../en/history-errors.ts';

export const chineseHistoryErrors: Readonly<Record<keyof typeof englishHistoryErrors, string>> = {
  notTalkRecord: '{{path}} 无法作为通话记录读取：文件已损坏，或不是 Parley 的。',
  talkRecordNewer: '{{path}} 由更新版本的 Parley 写成，请用那个版本打开。',
  talkRecordGone: '这次通话的记录已经不在了。',
  talkEndUnknown: '这次通话结束的原因，这个版本的 Parley 不认识。',
  talkUnkept: '这次通话的文字暂时无法保留；通话继续。',
  nothingAsked: '这次通话是否保留，已经决定过了。',
  historyIndexLost: '列表读不出来，正在重新生成，请稍后再试。',
  pictureGone: '这张画面已经不在了。',
  recentNotHeld: '这次通话没有暂存最近两分钟：请先在“隐私”中打开，再开始一次不录带的通话。',
  ownWordsGone: '这些话已经不在了。',
  ownWordsTooMany: '等待听写的话太多，最早的部分已被放弃。',
  tapeInUse: '正在进行的通话，其录带不能删除：请先结束通话。',
};
