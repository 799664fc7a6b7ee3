import type { PageMessages } from '../messages.ts';

export const chineseSettingsKeys: PageMessages['settings']['rows']['keys'] = {
  interrupt: { name: '打断', hint: 'Parley 立刻安静下来。', also: '快捷键 停止 退出键' },
  mute: { name: '静音', hint: '再按一次恢复。', also: '快捷键 麦克风 取消静音' },
  cough: { name: '按住静音', hint: '按住期间不出声。', also: '快捷键 麦克风 静音' },
  pause: { name: '暂停', hint: '再按一次之前，不发送也不播放。', also: '快捷键 继续' },
  end: { name: '结束通话', hint: '之后还可以继续。', also: '快捷键 挂断' },
  keepRecent: {
    name: '留下最近两分钟',
    hint: '存成录音；须先在“隐私”中打开暂存。',
    also: '快捷键 录音 保存 录带',
  },
  palette: { name: '命令', hint: '输入几个字就能找到要做的事。', also: '快捷键 命令面板' },
  inspector: { name: '检查器', hint: '与服务器之间收发的内容。', also: '快捷键 帧' },
  shortcuts: { name: '键盘快捷键', hint: '这个窗口的所有按键。', also: '快捷键 帮助 一览' },
};
