import type { PageMessages } from '../messages.ts';

const chineseRoomTest: PageMessages['settings']['sound']['roomTest'] = {
  open: '测试这个房间',
  talking: '通话时不能测试。请先结束通话。',
  steps: {
    quiet: '请先保持安静，让 Parley 听一下房间里的噪声有多大。',
    alone: '播放一段人声。放完之前请不要出声。',
    over: '再播放一遍。请像通话时那样，同时说话。',
  },
  stays: '约需半分钟。声音不会离开这台电脑，没有你的同意也不会保存。',
  start: '开始测试',
  ready: '准备好了',
  now: {
    opening: '正在打开麦克风和扬声器…',
    quiet: '请保持安静，Parley 正在听房间里的声音…',
    alone: '正在播放人声，放完之前请不要出声…',
    ready: '轮到你了：人声会再播放一遍，请同时说话。',
    over: '请像通话时那样说话，直到人声放完…',
    judging: '正在分析结果…',
  },
  progress: '这一步的进度',
  stopped: '已停止，什么也没有保存。',
  thrownAway: '已丢弃，什么也没有保存。',
  unkept: '录音里有你的声音，需要时才保留。',
  keep: '保留录音…',
  throwAway: '丢弃',
  kept: '录音保存在 {{path}}',
  again: '再测一次',
  judged: {
    noise: { quiet: '噪声：很小', some: '噪声：有一些', loud: '噪声：很大' },
    echo: {
      none: '没有听到回声：可能戴着耳机，或音量很低。',
      soft: '回声：比噪声还小',
      taken: '回声：听得到，已消除',
      left: '回声：听得到，还剩一些',
    },
    echoOver: '比噪声高 {{over}} dB，延迟 {{late}} 毫秒；消除 {{taken}} dB，最差时为 {{worst}} dB',
    echoUnder: '比噪声低 {{over}} dB，延迟 {{late}} 毫秒；消除 {{taken}} dB，最差时为 {{worst}} dB',
    person: {
      silent: '你的声音：没有听到。请说得大声一点，或离麦克风近一些。',
      unheard: '你的声音：没有比回声更响。请说得大声一点，或调低扬声器音量。',
      heard: '你的声音：能听清',
      softer: '你的声音：能听清，但变小了',
    },
    personFigures: '损失 {{lost}} dB',
    advice: {
      clipped: '声音超出了麦克风的范围。请调低麦克风或扬声器的音量。',
      noise: '房间很吵。戴耳机，或让麦克风靠近一些会更好。',
      echoLeft: '请调低音量，让麦克风离扬声器远一些，或戴耳机。',
      late: '扬声器有延迟，像是蓝牙设备，可能会打断第一个回答。改用有线设备会更好。',
      person: '想让 Parley 听清，请大声说话、调低扬声器音量，或戴耳机。',
    },
    mute: '麦克风没有声音：可能静音了，或者系统不允许 {{who}} 使用它。',
    unplayed: '扬声器没有放出听得见的声音。请在设置里调高音量。',
  },
};

export const chineseRooms = {
  room: {
    echo: {
      hardly: '麦克风几乎收不到扬声器的声音，和戴耳机差不多。',
      some: '麦克风收到了扬声器的声音。',
      loud: '麦克风收到的扬声器声音和你说话一样响。',
    },
    echoLeft: '这些声音会传给服务器。想不戴耳机通话，请打开“消除扬声器回声”。',
    echoTaken: '通话时 Parley 会把它消除。',
    noise: {
      quiet: '房间很安静。',
      some: '房间里有些噪声。',
      loud: '房间里很吵。',
    },
    noiseLeft: '打开“减弱环境噪声”会好一些。',
    noiseTaken: 'Parley 会把噪声减弱。',
    both: '{{what}}{{done}}',
  },
  roomTest: chineseRoomTest,
};

export const chineseOwnSound: PageMessages['settings']['sound']['own'] = {
  record: '录五秒',
  recording: '请说话…',
  ways: { captured: '麦克风收到的声音', sent: '服务器收到的声音' },
  playing: '正在播放…',
  verdict: {
    unheard: '什么也没听到。请检查麦克风，再试一次。',
    quiet: '声音太小。请靠近一点，或调高麦克风音量。',
    clipped: '声音太大，听起来会刺耳。请调低麦克风音量。',
    good: '音量合适。请把两种都听一遍。',
  },
  alike: '两种听起来一样：“减弱环境噪声”和“平稳音量”都没有打开。',
};
