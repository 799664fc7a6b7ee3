import type { PackagingMessages } from '../messages.ts';

export const chinesePackaging: PackagingMessages = {
  generic: '语音助手',
  summary: '与能听、能看、会回答的助手通话',
  keywords: '语音、说话、通话、助手、聊天、字幕',
  startTalking: '开始通话',
  miniWindow: '迷你窗口',
  tape: 'Parley 录制文件',
  about:
    'Parley 让你像和人说话一样与助手通话：它边说边听，随时可以打断；经你允许，还能看到摄像头画面或屏幕。' +
    '它连接你选择的 MiniCPM-o 服务器，也可以离线使用自带的演示。',
  points: {
    captions: '实时字幕，逐字对应听到的声音',
    keys: '按键说话，在其他程序里也能用',
    history: '通话和聊天只保存在这台电脑上，并且只在你愿意时保存',
    replay: '录下的通话可以原样回放',
  },
  picture: '一次带字幕的通话，双方的声音画成一条波纹',
  microphone: '通话时，Parley 会听你说话。',
  camera: '摄像头打开期间，Parley 会把画面发给通话所用的服务器。',
};
