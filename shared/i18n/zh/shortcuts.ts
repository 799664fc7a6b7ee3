import type { PageMessages } from '../messages.ts';

export const chineseShortcuts: PageMessages['shortcuts'] = {
  name: '键盘快捷键',
  groups: {
    everywhere: '任何地方',
    talk: '对话中',
    chat: '聊天中',
    history: '在历史中',
    part: '选择画面的一部分时',
    inspector: '检查器的列表中',
    mini: '迷你窗口中',
  },
  lines: {
    shortcuts: '打开这份列表',
    close: '关闭打开的东西',
    talkKey: '按住或点按来说话',
    globalKey: '在任何程序里都能说话',
    send: '发送',
    newLine: '换行',
    paste: '添加复制的图片',
    stopEditing: '放弃修改问题',
    movePart: '移动选区',
    sizePart: '改变选区大小',
    walk: '上下移动',
    ends: '到第一项或最后一项',
    closeWindow: '关闭窗口',
  },
  or: '或',
};
