import type { Notice } from '../../../../shared/ipc/contract.ts';
import type { DesktopSettings } from '../../../../shared/settings/app-settings.ts';
import type { TalkState } from '../../../../shared/talk/talk-state.ts';

/** What a notification tells of; each has its words, and leads somewhere. */
export type NotificationSubject =
  | 'answer'
  | 'noAnswer'
  | 'turn'
  | 'time'
  | 'context'
  | 'over'
  | 'lost';

export const notificationSwitches: Readonly<
  Record<NotificationSubject, Extract<keyof DesktopSettings, `notify${string}`>>
> = {
  answer: 'notifyAnswer',
  noAnswer: 'notifyAnswer',
  turn: 'notifyTurn',
  time: 'notifyLimit',
  context: 'notifyLimit',
  over: 'notifyLost',
  lost: 'notifyLost',
};

/** Says of each notice whether a person in another program wants to know. It only judges; others show. */
export class NotificationJudge {
  #phase: TalkState['phase'] = 'idle';
  /** The talk was live, or stood in the queue: it is one that can be lost. */
  #hadPlace = false;

  readonly judge = (notice: Notice): NotificationSubject | undefined => {
    if (notice.name === 'talkState') return this.#talk(notice.payload);
    // The second warning comes when there is no time left to come.
    if (notice.name === 'talkWarning') {
      return notice.payload.threshold === 60 ? notice.payload.limit : undefined;
    }
    if (notice.name !== 'chatPatch' || notice.payload.kind !== 'answer') return undefined;
    // One that the person stopped has no end to be told of.
    const { kind } = notice.payload.state;
    if (kind === 'failed') return 'noAnswer';
    return kind === 'done' ? 'answer' : undefined;
  };

  #talk(state: TalkState): NotificationSubject | undefined {
    const before = this.#phase;
    this.#phase = state.phase;
    if (state.phase === 'live' || state.phase === 'queued') this.#hadPlace = true;
    if (state.phase === 'live') return before === 'queued' ? 'turn' : undefined;
    if (state.phase !== 'ended') return undefined;
    // One that did not even begin is waited for by whoever began it.
    const { by, orderly } = state.ending;
    const ended = this.#hadPlace && by !== 'client';
    this.#hadPlace = false;
    if (!ended) return undefined;
    // A time that is up is nothing that broke, and is not told as if it were.
    return orderly ? 'over' : 'lost';
  }
}
