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
  ownWordsGone: '这些话已经不在了。',
  ownWordsTooMany: '等待听写的话太多，最早的部分已被放弃。',
  recentNotHeld: '这次通话没有暂存最近两分钟：请先在“隐私”中打开，再开始一次不录音的通话。',
  ownWordsServerGone:
    '这次通话的服务器已不在设置中，你的声音不会发给别的服务器：请在“服务器”中重新添加它。',
  ownWordsBusy: '正在听写另一次通话的录音，请在完成后再试。',
  tapeInUse: '正在进行的通话，其录音不能删除：请先结束通话。',
};
