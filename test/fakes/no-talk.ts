import type { TalkHandlers } from '../../electron/desk/talk-requests.ts';
import { quietTalk } from '../../shared/talk/talk-view.ts';

/** A core without a spoken conversation. */
export const noTalk: TalkHandlers = {
  talk: () => quietTalk,
  startTalk: ({ mode }) => ({ mode, endpoint: 'nobody' }),
  endTalk: () => undefined,
  continueTalk: () => undefined,
  interruptTalk: () => undefined,
  talkKey: () => undefined,
  setTalking: () => undefined,
  setMuted: () => undefined,
  setCoughMuted: () => undefined,
  setPaused: () => undefined,
};
