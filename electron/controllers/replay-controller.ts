import { failure } from '../../shared/errors/app-error.ts';
import type { Handlers } from '../../shared/ipc/contract.ts';
import type { ReplayRequests } from '../../shared/ipc/replay-contract.ts';
import type { ReplayView } from '../../shared/replay/replay-view.ts';
import { unwrap } from '../ipc/request-refused-error.ts';

export type ReplayHandlers = Pick<Handlers, keyof ReplayRequests>;

/** The one replay of this Parley: what pages ask of it, and what is posted to them. */
export class ReplayController {
  readonly #view: ReplayView = { kind: 'none' };

  readonly handlers: ReplayHandlers = {
    replay: () => this.#view,
    openReplay: () => unwrap(noReplay),
    playReplay: () => unwrap(noReplay),
    pauseReplay: () => unwrap(noReplay),
    setReplaySpeed: () => unwrap(noReplay),
    seekReplay: () => unwrap(noReplay),
    seekReplayWord: () => unwrap(noReplay),
    stepReplay: () => unwrap(noReplay),
    replayPicture: () => unwrap(noReplay),
    closeReplay: () => undefined,
  };
}

const noReplay = failure('noReplay');
