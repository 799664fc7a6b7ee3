import type { PageMessages } from '../messages.ts';

export const chineseRoomHeard: PageMessages['settings']['sound']['room'] = {
  echo: {
    hardly: '麦克风几乎听不到扬声器，和戴着耳机差不多。',
    some: '麦克风听得到扬声器。',
    loud: '麦克风听到的扬声器和你说话一样响。',
  },
  echoLeft: '这些声音会传给服务器。想不戴耳机交谈，请打开“扬声器的回声”。',
  echoTaken: '通话时 Parley 会把它去掉。',
  noise: {
    quiet: '房间很安静。',
    some: '房间里有些噪声。',
    loud: '房间里很吵。',
  },
  noiseLeft: '打开“环境噪声”可以减弱。',
  noiseTaken: 'Parley 会把噪声减弱。',
  both: '{{what}}{{done}}',
};
