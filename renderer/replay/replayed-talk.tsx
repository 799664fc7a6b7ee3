import { type ReactNode, useEffect, useState } from 'react';
import { Listeners } from '../../shared/listeners.ts';
import type { ReplayedNotice, ReplayScene } from '../../shared/recordings/replay-scene.ts';
import type { OpenReplay, ReplayPlay } from '../../shared/recordings/replay-view.ts';
import { embeddedProfile } from '../../shared/settings/endpoint-profile.ts';
import type { TalkInfo, TalkLevel } from '../../shared/talk/talk-view.ts';
import type { AppContext } from '../app/app-context.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { Dated, UiState } from '../app/ui-state.ts';
import { AppReactContext, useAppContext, useUiState } from '../app/use-app-context.ts';
import { isTapedDemonstration } from '../i18n/server-name.ts';
import type { TalkActions } from '../talk/talk-actions.ts';

/** One part of the replay; nothing in the moment in which it is closed. Pick what stays the same value. */
export function useOpenReplay<Part>(select: (open: OpenReplay) => Part): Part | undefined {
  return useUiState(({ replay }) => (replay.kind === 'open' ? select(replay) : undefined));
}

/** What stands in it shows the talk that is played again, and not the one that goes on. */
export function ReplayedTalk({ children }: { readonly children: ReactNode }) {
  const live = useAppContext();
  const [replayed] = useState(() => createReplayedApp(live));
  useEffect(() => replayed.follow(), [replayed]);
  return <AppReactContext value={replayed.app}>{children}</AppReactContext>;
}

const nothing = () => Promise.resolve(true);

/** What was done is done: nothing of a replay can begin, end or change a talk. */
const noTalkActions: TalkActions = {
  start: async () => undefined,
  end: nothing,
  goOn: async () => undefined,
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
  const levels = new Listeners<TalkLevel>();
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

/** What the parts of the Talk screen read: taken from the replay, and all else from the page as it is. */
class ReplayedView {
  #live: UiState | undefined;
  #view: UiState | undefined;
  #state: Dated<ReplayScene['talk']['state']> | undefined;
  #limits: UiState['limits'];
  #told: TalkInfo | undefined;
  #facts: TalkInfo | undefined;

  /** The same as long as the page's is, and parts of it the same as long as they are in the scene. */
  of(live: UiState): UiState {
    if (this.#view !== undefined && live === this.#live) return this.#view;
    this.#live = live;
    this.#view = live.replay.kind === 'open' ? this.#made(live, live.replay) : live;
    return this.#view;
  }

  #made(live: UiState, { scene }: OpenReplay): UiState {
    const { talk, stateAt, limitsAt, warning, troubles } = scene;
    if (this.#state?.value !== talk.state) this.#state = { value: talk.state, at: stateAt };
    if (this.#limits?.value !== talk.limits)
      this.#limits = talk.limits === undefined ? undefined : { value: talk.limits, at: limitsAt };
    return {
      ...live,
      talkState: this.#state,
      limits: this.#limits,
      facts: this.#factsOf(talk.talk),
      controls: talk.controls,
      floor: talk.floor,
      devices: talk.devices,
      keeping: talk.keeping,
      talkCapture: talk.capture,
      captions: talk.captions,
      ownWords: talk.ownWords,
      warning,
      troubles,
    };
  }

  /** Tapes name servers by their addresses; the demonstration has none, and its name is for people. */
  #factsOf(told: TalkInfo | undefined): TalkInfo | undefined {
    if (told === this.#told) return this.#facts;
    this.#told = told;
    this.#facts =
      told !== undefined && isTapedDemonstration(told.endpoint)
        ? { ...told, endpoint: embeddedProfile.name }
        : told;
    return this.#facts;
  }
}

/** Of the talk that goes on: none of it belongs to a replay. */
const ofTheTalk: ReadonlySet<BridgeNotice['name']> = new Set([
  'level',
  'wire',
  'talkStep',
  'talkLimits',
]);

/** What is posted of a replay, in the words of a talk, for those who draw a talk by its notices. */
function asOfTalk(notice: BridgeNotice): readonly BridgeNotice[] {
  if (notice.name === 'replayWire') return [{ name: 'wire', payload: notice.payload }];
  if (notice.name === 'replayLevel') return [{ name: 'level', payload: notice.payload }];
  if (notice.name === 'replayed') return notice.payload.flatMap(limitsOf);
  return ofTheTalk.has(notice.name) ? [] : [notice];
}

/** Of what the page gets for the scene, what is drawn past it as well. */
function limitsOf(one: ReplayedNotice): readonly BridgeNotice[] {
  return one.name === 'talkLimits' ? [{ name: 'talkLimits', payload: one.payload }] : [];
}

/** The core tells ten times a second where it is; further than this the page does not guess. */
const furthestMs = 250;

/** The time on the tape, also between two of the core's words. It stands while the replay is paused. */
class ReplayClock {
  readonly #pageNow: () => number;
  #play: ReplayPlay | undefined;
  #toldAt = 0;

  constructor(pageNow: () => number) {
    this.#pageNow = pageNow;
  }

  follow(play: ReplayPlay): void {
    if (play === this.#play) return;
    this.#play = play;
    this.#toldAt = this.#pageNow();
  }

  readonly now = (): number => {
    if (this.#play === undefined) return 0;
    const { at, playing, speed } = this.#play;
    if (!playing) return at;
    return at + Math.min(furthestMs, this.#pageNow() - this.#toldAt) * speed;
  };
}
