import { type ReactNode, useEffect, useState } from 'react';
import { Listeners } from '../../shared/listeners.ts';
import type {
  ReplayedNotice,
  ReplayScene,
  OpenReplay,
  ReplayPlay,
} from '../../shared/recordings/replay-view.ts';
import { builtInServer } from '../../shared/settings/connection-settings.ts';
import type { TalkInfo, TalkLevel } from '../../shared/talk/talk-view.ts';
import type { TalkActions } from '../app/actions.ts';
import { type AppContext, AppReactContext, useAppContext, useUiState } from '../app/app-context.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { Timestamped, UiState } from '../app/ui-state.ts';

/** Undefined while the replay is closing. The selector must return a stable value. */
export function useOpenReplay<Part>(select: (open: OpenReplay) => Part): Part | undefined {
  return useUiState(({ replay }) => (replay.kind === 'open' ? select(replay) : undefined));
}

/** Renders its children with the replayed talk instead of the running one. */
export function ReplayedTalk({ children }: { readonly children: ReactNode }) {
  const liveApp = useAppContext();
  const [replayed] = useState(() => createReplayedApp(liveApp));
  useEffect(() => replayed.follow(), [replayed]);
  return <AppReactContext value={replayed.app}>{children}</AppReactContext>;
}

const ignore = () => Promise.resolve(true);

/** A replay must not start, end or change a talk. */
const noTalkActions: TalkActions = {
  start: async () => undefined,
  end: ignore,
  continueTalk: async () => undefined,
  reconnectNow: ignore,
  interrupt: ignore,
  talkKey: ignore,
  setTalking: ignore,
  setMuted: ignore,
  setCoughMuted: ignore,
  hearComputer: ignore,
  setPaused: ignore,
  correctUserTranscript: ignore,
  retryTranscription: ignore,
  doRequest: async () => undefined,
  askInTalk: async () => false,
  writeTask: () => undefined,
  decideTalkCall: ignore,
  stopTask: ignore,
};

export interface ReplayedApp {
  readonly app: AppContext;
  readonly follow: () => () => void;
}

export function createReplayedApp(live: AppContext): ReplayedApp {
  const replayedState = new ReplayedState();
  const clock = new ReplayClock(live.now);
  const levels = new Listeners<TalkLevel>();
  const { replay } = live.actions;
  const store: Store<UiState> = {
    ...live.store,
    getState: () => replayedState.toUiState(live.store.getState()),
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
          for (const converted of toTalkNotices(notice)) listener(converted);
        }),
    },
    follow: () => {
      followPlay();
      const unsubscribers = [
        live.store.subscribe(followPlay),
        live.listen((notice) => {
          if (notice.name === 'replayLevel') levels.emit(notice.payload);
        }),
      ];
      return () => {
        for (const unsubscribe of unsubscribers) unsubscribe();
      };
    },
  };
}

class ReplayedState {
  #live: UiState | undefined;
  #uiState: UiState | undefined;
  #state: Timestamped<ReplayScene['talk']['state']> | undefined;
  #limits: UiState['limits'];
  #recordedFacts: TalkInfo | undefined;
  #facts: TalkInfo | undefined;

  /** Cached: the result and its parts keep their identity while their sources do. */
  toUiState(live: UiState): UiState {
    if (this.#uiState !== undefined && live === this.#live) return this.#uiState;
    this.#live = live;
    this.#uiState = live.replay.kind === 'open' ? this.#withScene(live, live.replay) : live;
    return this.#uiState;
  }

  #withScene(live: UiState, { scene }: OpenReplay): UiState {
    const { talk, stateAt, limitsAt, warning, troubles } = scene;
    if (this.#state?.value !== talk.state) this.#state = { value: talk.state, at: stateAt };
    if (this.#limits?.value !== talk.limits)
      this.#limits = talk.limits === undefined ? undefined : { value: talk.limits, at: limitsAt };
    return {
      ...live,
      talkState: this.#state,
      limits: this.#limits,
      facts: this.#toFacts(talk.talk),
      controls: talk.controls,
      floor: talk.floor,
      devices: talk.devices,
      storage: talk.storage,
      talkCapture: talk.capture,
      captions: talk.captions,
      userTranscript: talk.userTranscript,
      toolTasks: talk.tasks,
      writesTask: false,
      warning,
      talkErrors: troubles,
    };
  }

  /** Tapes store server addresses. Built-in servers have none, so their display names are filled in. */
  #toFacts(recorded: TalkInfo | undefined): TalkInfo | undefined {
    if (recorded === this.#recordedFacts) return this.#facts;
    this.#recordedFacts = recorded;
    this.#facts = recorded && {
      ...recorded,
      endpoint: builtInServer(recorded.endpoint)?.name ?? recorded.endpoint,
    };
    return this.#facts;
  }
}

/** Notices of the running talk, which a replay must not show. */
const runningTalkNotices: ReadonlySet<BridgeNotice['name']> = new Set([
  'level',
  'wire',
  'talkStep',
  'talkLimits',
]);

/** Converts the notices of a replay into those of a talk, for components that draw a talk. */
function toTalkNotices(notice: BridgeNotice): readonly BridgeNotice[] {
  if (notice.name === 'replayWire') return [{ name: 'wire', payload: notice.payload }];
  if (notice.name === 'replayLevel') return [{ name: 'level', payload: notice.payload }];
  if (notice.name === 'replayed') return notice.payload.flatMap(toLimitNotices);
  return runningTalkNotices.has(notice.name) ? [] : [notice];
}

/** The scene contains the limits, but some components read them from notices. */
function toLimitNotices(notice: ReplayedNotice): readonly BridgeNotice[] {
  return notice.name === 'talkLimits' ? [{ name: 'talkLimits', payload: notice.payload }] : [];
}

/** The core reports the position ten times a second; the page extrapolates at most this far. */
const maxExtrapolationMs = 250;

/** The time on the tape, extrapolated between the core's reports. It stops while the replay is paused. */
class ReplayClock {
  readonly #pageNow: () => number;
  #play: ReplayPlay | undefined;
  #reportedAt = 0;

  constructor(pageNow: () => number) {
    this.#pageNow = pageNow;
  }

  follow(play: ReplayPlay): void {
    if (play === this.#play) return;
    this.#play = play;
    this.#reportedAt = this.#pageNow();
  }

  readonly now = (): number => {
    if (this.#play === undefined) return 0;
    const { at, playing, speed } = this.#play;
    if (!playing) return at;
    return at + Math.min(maxExtrapolationMs, this.#pageNow() - this.#reportedAt) * speed;
  };
}
