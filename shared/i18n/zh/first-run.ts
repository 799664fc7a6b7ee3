import type { PageMessages } from '../messages.ts';

export const chineseFirstRun: PageMessages['firstRun'] = {
  name: '初次使用',
  count: '第 {{step}} 步，共 {{steps}} 步',
  next: '下一步',
  back: '上一步',
  skip: '跳过设置',
  later: '以后再说',
  language: {
    title: '欢迎使用 Parley。',
    text: '界面使用哪种语言？这里的一切以后都可以更改。',
  },
  microphone: {
    title: '听得到你吗？',
    text: 'Parley 需要麦克风才能和你通话。这里只显示音量：不会保存任何声音，在你开始通话之前，声音也不会离开这台电脑。系统可能会请你授权。',
    check: '检查麦克风',
    again: '再试一次',
    opening: '正在打开麦克风…',
    speak: '说点什么，横条应该会变长。',
    heard: '听到你了。',
    level: '你的音量',
  },
  server: {
    title: '你想和谁通话？',
    text: '演示会立刻用录好的句子回答。真正能听懂你的模型运行在服务器上。',
    demonstration: '演示',
    demonstrationText: '内置：不需要网络和账号，也不用任何设置。',
    own: '我自己的服务器',
    ownText: '由你或别人运行的 MiniCPM-o 实时服务器。',
    address: '地址',
    token: '访问令牌（服务器要求时填写）',
    trying: '正在尝试连接服务器…',
  },
};
