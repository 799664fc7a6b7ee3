import type { PageMessages } from '../messages.ts';

export const chineseAroundTalk: PageMessages['aroundTalk'] = {
  lostDevices: { microphone: '麦克风', speaker: '扬声器', both: '麦克风和扬声器' },
  idle: {
    server: '服务器',
    addServer: '添加服务器…',
    microphone: '麦克风',
    systemMicrophone: '系统麦克风',
    level: '麦克风音量',
    showLevel: '显示音量',
    hideLevel: '不显示音量',
    recent: '最近的通话',
  },
  pill: {
    name: '正在进行的通话',
    open: '回到通话',
    place: '排在第 {{position}} 位，共 {{length}} 位',
    time: '已通话 {{time}}',
  },
  capture: { camera: '摄像头已开', screen: '正在共享屏幕' },
  unread: '有新的回答',
  detailHint: '越清晰，Parley 的记忆就越快用完。',
  pictureFacts: '{{width}} × {{height}}，{{size}} KB',
  limits: {
    minutes: '还剩 {{minutes}} 分钟',
  },
};
