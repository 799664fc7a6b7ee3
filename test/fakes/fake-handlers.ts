import { failure } from '../../shared/errors/app-error.ts';
import { type Handlers, type RequestName, requests } from '../../shared/ipc/contract.ts';
import { type TalkHandlers, talkRequests } from '../../shared/ipc/talk-ipc.ts';
import { visionRequests } from '../../shared/ipc/vision-ipc.ts';
import { idleTalkView } from '../../shared/talk/talk-view.ts';

/** Handlers of talk requests while no talk runs. They do nothing. */
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

const refuse = () => failure('noWindows');

const handledSeparately: object = {
  ...talkRequests,
  ...visionRequests,
  about: true,
  checkLibraries: true,
};

type ControllerHandlers = Pick<Handlers, Exclude<RequestName, HandledSeparately>>;

type HandledSeparately =
  | keyof typeof talkRequests
  | keyof typeof visionRequests
  | 'about'
  | 'checkLibraries';

/** Handlers that refuse every request outside talk, vision and About. */
export const refusingHandlers = Object.fromEntries(
  Object.keys(requests)
    .filter((name) => !Object.hasOwn(handledSeparately, name))
    .map((name) => [name, refuse]),
) as unknown as ControllerHandlers;
