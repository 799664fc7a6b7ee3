import type { TalkLevel } from '../../../shared/talk/talk-view.ts';
import type { AppContext } from '../../store/app-context.ts';
import { createLevelFeed } from '../../store/level-feed.ts';
import type { Store } from '../../store/store.ts';
import type { UiState } from '../../store/ui-state.ts';
import type { TalkActions } from '../../talk/talk-actions.ts';
import { ReplayClock } from '../replay-clock.ts';
import { asOfTalk } from './replayed-notices.ts';
import { ReplayedView } from './replayed-view.ts';

const nothing = (): Promise<void> => Promise.resolve();

/** What was done is done: nothing of a replay can begin, end or change a talk. */
const noTalkActions: TalkActions = {
  start: nothing,
  end: nothing,
  goOn: nothing,
  networkBack: nothing,
  interrupt: nothing,
  talkKey: nothing,
  setTalking: nothing,
  setMuted: nothing,
  setCoughMuted: nothing,
  setPaused: nothing,
  correctOwnWords: nothing,
  writeOwnWordsAgain: nothing,
};

/** What the parts of the Talk screen are given in a replay, in the place of the talk that may go on meanwhile. */
export interface ReplayedApp {
  readonly app: AppContext;
  /** Hands on what comes, until it is called off. */
  readonly follow: () => () => void;
}

export function createReplayedApp(live: AppContext): ReplayedApp {
  const view = new ReplayedView();
  const clock = new ReplayClock(live.now);
  const levels = createLevelFeed<TalkLevel>();
  const { replay } = live.actions;
  const store: Store<UiState> = {
    ...live.store,
    getState: () => view.of(live.store.getState()),
  };
  const followPlay = (): void => {
    const { replay } = live.store.getState();
    if (replay.kind === 'open') clock.follow(replay.play);
  };
  return {
    app: {
      ...live,
      shows: 'replay',
      store,
      levels,
      now: clock.now,
      actions: {
        ...live.actions,
        ...noTalkActions,
        dismissTrouble: replay.dismissTrouble,
        dismissWarning: replay.dismissWarning,
      },
      listen: (listener) =>
        live.listen((notice) => {
          for (const one of asOfTalk(notice)) listener(one);
        }),
    },
    follow: () => {
      followPlay();
      const leave = [
        live.store.subscribe(followPlay),
        live.listen((notice) => {
          if (notice.name === 'replayLevel') levels.emit(notice.payload);
        }),
      ];
      return () => {
        for (const each of leave) each();
      };
    },
  };
}
