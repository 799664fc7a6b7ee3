import type { TalkHandlers } from '../../shared/ipc/talk-ipc.ts';
import { idleTalkView } from '../../shared/talk/talk-view.ts';

export const idleTalkHandlers: TalkHandlers = {
  talk: () => idleTalkView,
  startTalk: ({ mode }) => ({ mode, endpoint: 'nobody' }),
  endTalk: () => undefined,
  continueTalk: () => undefined,
  interruptTalk: () => undefined,
  networkBack: () => undefined,
  talkKey: () => undefined,
  setTalking: () => undefined,
  setMuted: () => undefined,
  setCoughMuted: () => undefined,
  hearComputer: () => undefined,
  setPaused: () => undefined,
};
