import type { PageMessages } from '../messages.ts';

export const chineseOwnSound: PageMessages['settings']['sound']['own'] = {
  record: '录五秒',
  recording: '请说话…',
  ways: { captured: '麦克风听到的你', sent: '服务器听到的你' },
  playing: '正在播放…',
  verdict: {
    unheard: '什么也没听到。请检查麦克风，再试一次。',
    quiet: '声音太小。请靠近一点，或调高麦克风音量。',
    clipped: '声音太大，听起来会刺耳。请调低麦克风音量。',
    good: '音量合适。请把两种都听一遍。',
  },
  alike: '两种现在听起来一样：降噪和音量调节都没打开。',
};
