import type { Handlers } from '../../shared/ipc/contract.ts';
import type { TalkRequests } from '../../shared/ipc/talk-contract.ts';
import { orRefuse } from '../ipc/refusal.ts';
import type { TalkDesk } from './talk-desk.ts';

export type TalkHandlers = Pick<Handlers, keyof TalkRequests>;

/** What the requests about the spoken conversation do. */
export function createTalkHandlers(desk: TalkDesk): TalkHandlers {
  return {
    talk: () => desk.view,
    startTalk: async ({ mode }) => orRefuse(await desk.start(mode)),
    continueTalk: async (input) => orRefuse(await desk.goOn(input)),
    endTalk: () =>
      orRefuse(
        desk.with((talk) => {
          talk.end();
        }),
      ),
    interruptTalk: () =>
      orRefuse(
        desk.with((talk) => {
          talk.interrupt();
        }),
      ),
    talkKey: ({ key }) =>
      orRefuse(
        desk.with((talk) => {
          if (key === 'press') talk.press();
          else if (key === 'toggle') talk.toggle();
          else talk.release(key === 'lost' ? 'lost' : 'released');
        }),
      ),
    setTalking: ({ mode }) =>
      orRefuse(
        desk.with((talk) => {
          talk.setTalking(mode);
        }),
      ),
    setMuted: ({ muted }) =>
      orRefuse(
        desk.with((talk) => {
          talk.setMuted(muted);
        }),
      ),
    setCoughMuted: ({ muted }) =>
      orRefuse(
        desk.with((talk) => {
          talk.setCoughMuted(muted);
        }),
      ),
    setPaused: ({ paused }) =>
      orRefuse(
        desk.with((talk) => {
          if (paused) talk.pause();
          else talk.resume();
        }),
      ),
  };
}
