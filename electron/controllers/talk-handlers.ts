import type { Handlers } from '../../shared/ipc/contract.ts';
import type { TalkRequests } from '../../shared/ipc/talk-contract.ts';
import { unwrap } from '../ipc/request-refused-error.ts';
import type { TalkController } from './talk-controller.ts';

export type TalkHandlers = Pick<Handlers, keyof TalkRequests>;

/** What the requests about the spoken conversation do. */
export function createTalkHandlers(desk: TalkController): TalkHandlers {
  return {
    talk: () => desk.view,
    startTalk: async ({ mode }) => unwrap(await desk.start(mode)),
    continueTalk: async (input) => unwrap(await desk.continue(input)),
    endTalk: () =>
      unwrap(
        desk.with((talk) => {
          talk.end();
        }),
      ),
    interruptTalk: () =>
      unwrap(
        desk.with((talk) => {
          talk.interrupt();
        }),
      ),
    talkKey: ({ key }) =>
      unwrap(
        desk.with((talk) => {
          if (key === 'press') talk.controls.press();
          else if (key === 'toggle') talk.controls.toggle();
          else talk.controls.release(key === 'lost' ? 'lost' : 'released');
        }),
      ),
    setTalking: ({ mode }) =>
      unwrap(
        desk.with((talk) => {
          talk.controls.setTalking(mode);
        }),
      ),
    setMuted: ({ muted }) =>
      unwrap(
        desk.with((talk) => {
          talk.controls.setMuted(muted);
        }),
      ),
    setCoughMuted: ({ muted }) =>
      unwrap(
        desk.with((talk) => {
          talk.controls.setCoughMuted(muted);
        }),
      ),
    setPaused: ({ paused }) =>
      unwrap(
        desk.with((talk) => {
          talk.setPaused(paused);
        }),
      ),
  };
}
